extension Advertisements {
    /// The buttons of Xiaomi's products, by product id.
    ///
    /// The index in the list is the number in the packet. The element contains the names of the pressed buttons.
    ///
    /// Source: Bluetooth-Devices/xiaomi-ble.
    private static let buttons: [Int: [String]] = [
        0x0153: ["on", "off", "sun", "plus", "m", "minus"],
        0x068E: ["fan", "light", "wind_speed", "color_temperature", "wind_mode", "brightness"],
        0x04E6: [
            "swing", "power", "timer_60_minutes", "increase_wind_speed", "timer_30_minutes", "decrease_wind_speed",
        ],
        0x03BF: [
            "stop", "air_exchange", "fan", "increase_speed", "decrease_speed", "dry", "light", "swing", "heat",
        ],
        0x1569: ["left", "right", "left right"],
        0x0DFD: [
            "left", "middle", "right", "left middle", "middle right", "left right", "left middle right",
        ],
        0x1949: ["", "left", "right", "left right"],
        0x3A61: ["", "left", "mid_left", "mid_right", "right"],
        0x3E17: ["", "left", "mid_left", "mid_right", "right"],
        0x5968: ["left", "right"],
    ]

    private static let dimmer = 0x03B6
    private static let cube = 0x04E1
    private static let remote = 0x0153
    /// The switches, in which the number 1 is a long press and the number 2 is a double press.
    private static let switches = [0x1568, 0x1569, 0x0DFD]

    /// The fields of a button, of the knob of a dimmer, or of the rotation of a cube.
    static let button: [Field] =
        [
            Field.number("button_id", .uint16).unless("product_id", is: dimmer),
            .number("press", .uint8).hidden.unless("product_id", is: dimmer),
            // On the remote control, the buttons 0 and 1 are the keys "on" and "off".
            .truth("power", "button_id == 0").when("product_id", is: remote).unless("button_id", is: 2)
                .unless("button_id", is: 3).unless("button_id", is: 4).unless("button_id", is: 5),
            .calculated("cube", "button_id").named(.open("rotate_right rotate_left")).when("product_id", is: cube),
        ] + pressed("press", ways)
        + knob.map { $0.when("product_id", is: dimmer) }

    /// The fields of a dimmer's knob: turned, turned while pressed, pressed a number of times, or pressed for a number
    /// of seconds.
    private static let knob: [Field] = [
        .number("held", .uint8).hidden, .number("turned", .uint8).hidden, .number("action", .uint8).hidden,
        .calculated("step", "if(held, held, turned)").hidden,
        .calculated(
            "dimmer", "if(action == 4, if(held, 4, 1) + if(step > 127, 0, 1), if(action == 3 && held == 1, 3, 0))"
        )
        .named(.open("press rotate_left rotate_right long_press rotate_left_pressed rotate_right_pressed")),
        // The number of steps is negative for a rotation to the left.
        .calculated("dimmer_steps", "min(step, 256 - step)").when("action", is: 4),
        .calculated("dimmer_steps", "turned").unless("action", is: 4).unless("held", is: 1),
        .calculated("dimmer_duration", "turned", "s", kind: .duration).when("action", is: 3)
            .when("held", is: 1),
    ]

    /// Returns the fields of an object that stands for one kind of press, e.g.
    ///
    /// `long_press`.
    static func event(_ name: String) -> [Field] {
        [.number("button_id", .uint8).optional] + pressed("1") { _ in NamedValues([1: name]) }
    }

    private static func ways(of product: Int) -> NamedValues {
        .open(
            switches.contains(product) ? "press long_press double_press" : "press double_press long_press triple_press")
    }

    /// Returns one field for each button of all products, and the field `button` for products with a single button.
    private static func pressed(_ formula: String, _ ways: (Int) -> NamedValues) -> [Field] {
        let single = 0x1568
        let several = buttons.sorted { $0.key < $1.key }
        let others = several.map(\.key) + [dimmer, cube]
        let named = several.flatMap { product, numbers in
            numbers.enumerated().flatMap { number, names in
                names.split(separator: " ").map { name in
                    Field.calculated("button_\(name)", formula).named(ways(product)).when("product_id", is: product)
                        .when("button_id", is: number)
                }
            }
        }
        let plain = Field.calculated("button", formula).named(ways(0)).unless("product_id", isAmong: [single] + others)
        return [plain, .calculated("button", formula).named(ways(single)).when("product_id", is: single)] + named
    }
}
