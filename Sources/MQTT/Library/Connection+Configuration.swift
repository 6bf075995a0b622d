import CMosquitto
import EventLoop
import Glibc

extension Connection {
    /// Applies the settings, which hold for all connections of this object.
    func configure() throws(ClientError) {
        let version = settings.version == .five ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, version)
        mosquitto_int_option(handle, MOSQ_OPT_SEND_MAXIMUM, Int32(settings.window))
        mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
        guard (5...65_535).contains(settings.keepAlive.components.seconds) else {
            throw ClientError("the keep-alive interval must be 5 s to 65,535 s")
        }
        try configureCredentials()
        if let tls = settings.tls { try configure(tls) }
        do {
            if let will = settings.will { try configure(will) }
            try configureSession()
        } catch {
            throw ClientError("libmosquitto rejects the settings: \(error)")
        }
    }

    private func configureCredentials() throws(ClientError) {
        if let password = settings.password {
            guard settings.username != nil || settings.version == .five else {
                throw ClientError("MQTT 3.1.1 does not support a password without a user name: set username")
            }
            guard !password.contains(0) else {
                throw ClientError("the password contains a NUL character, which is not supported")
            }
        }
        let password = settings.password.map { $0.map { CChar(bitPattern: $0) } + [0] }
        guard mosquitto_username_pw_set(handle, settings.username, password) == MOSQ_ERR_SUCCESS.rawValue else {
            throw ClientError("the user name is not valid in MQTT")
        }
    }

    private func configure(_ tls: TLS) throws(ClientError) {
        for path in [tls.authorities, tls.identity?.certificate, tls.identity?.key].compactMap(\.self) {
            guard access(path, R_OK) == 0 else {
                throw ClientError("cannot read \(path): \(String(cString: strerror(errno)))")
            }
        }
        // MOSQ_OPT_TLS_USE_OS_CERTS fails at the second connection (2.0.11).
        let (file, folder) = (tls.authoritiesFile, tls.authoritiesFolder)
        mosquitto_tls_set(handle, file, folder, tls.identity?.certificate, tls.identity?.key) {
            // A daemon cannot ask for the passphrase of a key.
            buffer, _, _, _ in
            buffer?.pointee = 0
            return 0
        }
        // 1 is OpenSSL's SSL_VERIFY_PEER. tlsv1.2 is the lowest version allowed: the default of 2.0.11 is 1.1.
        mosquitto_tls_opts_set(handle, 1, "tlsv1.2", nil)
    }

    /// Sets the will of the next connections.
    func configure(_ will: Message) throws(LibraryError) {
        var properties = settings.version == .five ? try PropertyList(will.properties) : PropertyList()
        try check(
            mosquitto_will_set_v5(
                handle, will.topic.description, Int32(will.payload.count), will.payload,
                will.qualityOfService.rawValue, will.isRetained, properties.head))
        properties.release()
    }

    /// Stores the properties of CONNECT in libmosquitto.
    ///
    /// Only the blocking call `mosquitto_connect_bind_v5` accepts properties. It copies them before it checks the address,
    /// and later calls that do not block send the copies. Therefore this function passes an invalid address: a Unix
    /// socket (port 0) with an empty path. Source: the code of 2.0.11 and 2.0.21.
    private func configureSession() throws(LibraryError) {
        guard settings.version == .five else { return }
        var properties = PropertyList()
        try properties.add(MQTT_PROP_MAXIMUM_PACKET_SIZE, settings.maximumPacketSize)
        let expiry = settings.sessionExpiry.components.seconds
        if expiry > 0 { try properties.add(MQTT_PROP_SESSION_EXPIRY_INTERVAL, UInt32(clamping: expiry)) }
        let code = mosquitto_connect_bind_v5(handle, "", 0, 60, nil, properties.head)
        if code != MOSQ_ERR_INVAL.rawValue { throw LibraryError(code) }
    }
}
