/// A configuration with an advertiser, whose keys begin in line 2 and column 7.
private func advertiser(_ keys: String) -> String { "advertisers:\n  a: {\(keys)}" }

/// Mistakes in advertisements that the gateway sends.
extension MistakeTests {
    static let advertisers = [
        Case(
            advertiser("interval: 1s"),
            "2:6: the key 'objects' is missing: add it, e.g. objects: {temperature: {topic: bluefleet/cellar/climate, member: "
                + "temperature}, battery: 80}"),
        Case(
            advertiser("objects: {temprature: 5}"),
            "2:17: unknown BTHome object 'temprature': did you mean 'temperature'?"),
        Case(advertiser("objects: {battery: 300}"), "2:17: battery: expected a number from 0 to 255, found 300"),
        Case(
            advertiser("objects: {battery: full}"),
            "2:26: expected a number, true, false or {topic: TOPIC}, found 'full'"),
        Case(
            advertiser("objects: {battery: {topic: home/+}}"), "2:34: 'home/+' has a wildcard: name one topic"),
        Case(
            advertiser("objects: {battery: {member: a}}"),
            "2:26: the key 'topic' is missing: add it, e.g. topic: zigbee2mqtt/bath"),
        Case(advertiser("objects: {}"), "2:16: there is no value: add one to objects"),
        Case(
            advertiser("interval: 20ms, objects: {battery: 1}"),
            "2:17: expected a duration from 100ms to 10s, found '20ms'"),
        Case(
            advertiser("adapter: hci0, objects: {battery: 1}"),
            "2:16: 'hci0' can be another adapter after a restart: write its address, which bluefleet doctor shows"),
        Case(
            advertiser("objects: {energy: 1, gas: 1, volume: 1, water: 1, precipitation: 1, speed: 1}"),
            "2:16: the values need 22 bytes, and an advertisement has 21: move some to another advertiser"),
        Case(
            "advertisers:\n"
                + (1...17).map { "  a\($0): {objects: {battery: 1}}" }.joined(separator: "\n"),
            "18:3: 17 advertisers: a gateway sends up to 16"),
    ]
}
