/// Something that the gateway needs of its machine; the raw values are those of the event `host_failed`.
package enum HostResource: String, CaseIterable, Sendable {
    /// The state folder can be written.
    case stateFolder = "state_folder"
    /// The process has file descriptors left.
    case fileDescriptors = "file_descriptors"
}
