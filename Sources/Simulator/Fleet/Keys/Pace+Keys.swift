import Configuration

extension Pace {
    enum Keys {
        static let connect = Key("connect", .duration, default: "200ms", "The time from Connect to the connection.")
        static let resolve = Key(
            "resolve", .duration, default: "300ms", "The time from the connection to the last discovered service.")
        static let read = Key("read", .duration, default: "30ms", "The duration of a read.")
        static let write = Key("write", .duration, default: "30ms", "The duration of a write.")
        static let subscribe = Key("subscribe", .duration, default: "30ms", "The duration of a subscription.")
        static let disconnect = Key(
            "disconnect", .duration, default: "2s",
            "The time from Disconnect to the end of the connection; a real bluetoothd waits for 2s.")
        static let pair = Key("pair", .duration, default: "300ms", "The duration of the key exchange.")
        static let connectTimeout = Key(
            "connect_timeout", .positiveDuration, default: "20s",
            "The timeout of a connection attempt to a peripheral that does not answer.")
        static let idle = Key(
            "idle", .positiveDuration, example: "30s",
            "The time without a request after which the peripheral disconnects; default: never.")

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
