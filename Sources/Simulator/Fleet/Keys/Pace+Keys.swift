import Configuration

extension Pace {
    enum Keys {
        static let connect = Key("connect", .duration, default: "200ms", "From Connect to the link.")
        static let resolve = Key("resolve", .duration, default: "300ms", "From the link to the last service.")
        static let read = Key("read", .duration, default: "30ms", "Reading a value.")
        static let write = Key("write", .duration, default: "30ms", "Writing a value.")
        static let subscribe = Key("subscribe", .duration, default: "30ms", "Turning notifications on.")
        static let disconnect = Key(
            "disconnect", .duration, default: "2s", "From Disconnect to the end of the link; bluetoothd waits for 2s.")
        static let pair = Key("pair", .duration, default: "300ms", "Exchanging keys.")
        static let connectTimeout = Key(
            "connect_timeout", .positiveDuration, default: "20s",
            "After how long a connection to a silent peripheral is given up.")
        static let idle = Key(
            "idle", .positiveDuration, example: "30s",
            "After how long without a request the peripheral drops the link; never if left out.")

        static let section = Section(
            "pace", connect, resolve, read, write, subscribe, disconnect, pair, connectTimeout, idle)
    }

    static let kind = Kind<Pace>.mapping(Keys.section) { reader in
        Pace(
            connect: reader[Keys.connect], resolve: reader[Keys.resolve], read: reader[Keys.read],
            write: reader[Keys.write], subscribe: reader[Keys.subscribe], disconnect: reader[Keys.disconnect],
            pair: reader[Keys.pair], connectTimeout: reader[Keys.connectTimeout], idle: reader[Keys.idle])
    }
}
