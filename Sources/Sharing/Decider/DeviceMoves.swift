import Contract
import System

/// Rules 15 and 16: which devices another gateway should own.
struct DeviceMoves: Sendable {
    private let rules: FleetRules
    private let placement: Placement

    init(_ rules: FleetRules, _ placement: Placement) {
        self.rules = rules
        self.placement = placement
    }

    /// Looks at all devices, every 5 s, and moves those that have a better place.
    func look(
        _ table: inout OwnershipTable, _ known: KnownGateways, at now: Instant, _ drafts: inout FleetDrafts
    ) {
        let names = known.available
        guard names.count > 1 else { return }
        let gateways = names.compactMap { name in known[name].map { (name: name, gateway: $0) } }
        var links: [String: String] = [:]
        for (name, gateway) in gateways { for device in gateway.links { links[device] = name } }
        var slowMoves = FleetConstants.slowMoves
        for device in table.lines.names.sorted() {
            guard let line = table.lines[device], line.destination == nil, !table.isUnconfirmed(device) else {
                continue
            }
            if let holder = links[device], rules.contains(.linkedStay) {
                if holder != line.owner, names.contains(line.owner) {
                    table.move(device, to: holder, known, at: now, &drafts)
                }
                continue
            }
            guard rules.contains(.moves) else { continue }
            let search = Search(device: device, line: line, gateways: gateways, now: now)
            guard let search else { continue }
            let isAble = placement.canServe(device, search.owner) && !lacksBond(device, search.owner, gateways)
            if search.isBest, isAble {
                if line.fastSince != nil { table.setFastSince(nil, of: device) }
                continue
            }
            let best = placement.best(for: device, of: names, known)
            switch move(search, best, known, isAble: isAble, allowsSlow: slowMoves > 0) {
            case .now(let destination, let isSlow):
                if isSlow { slowMoves -= 1 }
                table.move(device, to: destination, known, at: now, &drafts)
            case .wait: if line.fastSince == nil { table.setFastSince(now, of: device) }
            case .stay: if line.fastSince != nil { table.setFastSince(nil, of: device) }
            }
        }
    }

    private enum Move {
        case now(String, isSlow: Bool)
        /// Another gateway is much better, but not long enough.
        case wait
        case stay
    }

    /// One device at its owner and at the gateways that receive it best.
    private struct Search {
        let device: String
        let line: OwnershipTable.Line
        let owner: KnownGateway
        let signal: KnownGateway.Signal
        /// The gateway with the best slow average.
        var slowBest: String
        var slowLevel: Double
        var level: Double
        let now: Instant

        /// - Returns: nil if the owner is not available.
        init?(
            device: String, line: OwnershipTable.Line, gateways: [(name: String, gateway: KnownGateway)], now: Instant
        ) {
            guard let owner = gateways.first(where: { $0.name == line.owner })?.gateway,
                let signal = owner.signals[device]
            else { return nil }
            self.device = device
            self.line = line
            self.owner = owner
            self.signal = signal
            self.now = now
            (slowBest, slowLevel, level) = (line.owner, signal.slow ?? signal.counted, signal.counted)
            for (name, gateway) in gateways {
                guard let other = gateway.signals[device] else { continue }
                level = max(level, other.counted)
                if let slow = other.slow, slow > slowLevel { (slowBest, slowLevel) = (name, slow) }
            }
        }

        var slowGain: Double { slowLevel - (signal.slow ?? signal.counted) }

        /// Whether no gateway is better by any margin.
        var isBest: Bool {
            level < signal.counted + FleetConstants.slowMargin && slowGain < FleetConstants.slowMargin
        }

        /// The additional advantage that a move back needs, in dB.
        func returnMargin(_ name: String) -> Double {
            line.previousOwner == name && now - line.assigned < FleetConstants.returnTime
                ? FleetConstants.returnMargin : 0
        }
    }

    /// Whether another gateway has the bond of a device, and this one does not.
    private func lacksBond(
        _ device: String, _ owner: KnownGateway, _ gateways: [(name: String, gateway: KnownGateway)]
    ) -> Bool {
        !owner.bonded.contains(device) && gateways.contains { $0.gateway.bonded.contains(device) }
    }

    private func move(
        _ search: Search, _ best: String?, _ known: KnownGateways, isAble: Bool, allowsSlow: Bool
    ) -> Move {
        let (device, line) = (search.device, search.line)
        if let best, best != line.owner, let gateway = known[best], let signal = gateway.signals[device] {
            if !isAble, placement.canServe(device, gateway) { return .now(best, isSlow: false) }
            let isDeaf = search.signal.level == nil
            let margin = isDeaf ? FleetConstants.slowMargin : FleetConstants.fastMargin
            if signal.counted - search.signal.counted >= margin + search.returnMargin(best) {
                let isLong = line.fastSince.map { search.now - $0 >= FleetConstants.fastTime } ?? false
                if isLong { return .now(best, isSlow: false) }
                return slow(search, known, allowsSlow) ?? .wait
            }
        }
        return slow(search, known, allowsSlow) ?? .stay
    }

    private func slow(_ search: Search, _ known: KnownGateways, _ isAllowed: Bool) -> Move? {
        guard isAllowed, search.slowBest != search.line.owner, let gateway = known[search.slowBest],
            placement.canServe(search.device, gateway),
            gateway.bonded.contains(search.device) || !search.owner.bonded.contains(search.device),
            search.slowGain >= FleetConstants.slowMargin + search.returnMargin(search.slowBest),
            search.now - search.line.assigned >= FleetConstants.slowTime
        else { return nil }
        return .now(search.slowBest, isSlow: true)
    }
}
