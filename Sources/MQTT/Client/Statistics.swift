extension Client {
    /// What has happened since the client was made, and what waits.
    package struct Statistics: Hashable, Sendable {
        /// How many times a broker took the client in.
        package var connections = 0
        /// Messages that the broker has taken.
        package var sent = 0
        package var received = 0
        /// Messages that were pushed out by later ones, broke with a connection, or could not be sent at all.
        package var dropped = 0
        /// Values that were not sent, since while they waited a newer one of their state came.
        package var superseded = 0
        /// Messages whose time was over before they could be sent.
        package var expired = 0
        /// Messages that wait for the broker.
        package var waiting = 0
        /// About how much memory they take, in bytes.
        package var waitingSize = 0
        /// Messages on their way to the broker.
        package var unacknowledged = 0
    }
}
