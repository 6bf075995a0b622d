extension Characteristics {
    /// The characteristics for the properties of a person, and for measurements of a person's body.
    ///
    /// Source: GATT Specification Supplement; User Data Service (181C).
    static let body: [CharacteristicDefinition] = [
        .number("age", .uint8, "yr"),
        .names("gender", "male female unspecified"),
        .number("height", .uint16, 0.01, "m", kind: .distance),
        .number("high_resolution_height", .uint16, 0.0001, "m", kind: .distance),
        .number("weight", .uint16, 0.005, "kg", kind: .weight),
        .number("hip_circumference", .uint16, 0.01, "m", kind: .distance),
        .number("waist_circumference", .uint16, 0.01, "m", kind: .distance),
        .text("first_name"),
        .text("middle_name"),
        .text("last_name"),
        .text("email_address"),
        .text("language"),
        .names("handedness", "left_handed right_handed ambidextrous unspecified"),
        .number("aerobic_heart_rate_lower_limit", .uint8, "bpm"),
        .number("aerobic_heart_rate_upper_limit", .uint8, "bpm"),
        .number("aerobic_threshold", .uint8, "bpm"),
        .number("anaerobic_heart_rate_lower_limit", .uint8, "bpm"),
        .number("anaerobic_heart_rate_upper_limit", .uint8, "bpm"),
        .number("anaerobic_threshold", .uint8, "bpm"),
        .number("fat_burn_heart_rate_lower_limit", .uint8, "bpm"),
        .number("fat_burn_heart_rate_upper_limit", .uint8, "bpm"),
        .number("heart_rate_max", .uint8, "bpm", kind: .measurement),
        .number("maximum_recommended_heart_rate", .uint8, "bpm"),
        .number("resting_heart_rate", .uint8, "bpm", kind: .measurement),
        .number("two_zone_heart_rate_limits", .uint8, "bpm"),
        .number("vo2_max", .uint8, "mL/(kg·min)", kind: .measurement),
        .names(
            "sport_type_for_aerobic_and_anaerobic_thresholds",
            """
            unspecified running cycling rowing cross_training climbing skiing skating arm_exercising
            lower_body_exercising upper_body_exercising whole_body_exercising
            """),
        .number("stride_length", .uint16, 0.001, "m", kind: .distance),
        .number("sedentary_interval_notification", .uint16, "s"),
        .number("caloric_intake", .uint16, "kcal", kind: .measurement),
        .names("temperature_type", from: 1, "armpit body ear finger gastrointestinal_tract mouth rectum toe tympanum"),
        .names("body_sensor_location", "other chest wrist finger hand ear_lobe foot"),
        .names("heart_rate_control_point", from: 1, "reset_energy_expended"),
        .names(
            "sensor_location",
            """
            other top_of_shoe in_shoe hip front_wheel left_crank right_crank left_pedal right_pedal front_hub
            rear_dropout chainstay rear_wheel rear_hub chest spider chain_ring
            """),
        .names(
            "device_wearing_position",
            """
            other head head_ear head_ear_right head_ear_left head_neck trunk trunk_pelvis trunk_pelvis_right
            trunk_pelvis_left trunk_thorax trunk_thorax_right trunk_thorax_left trunk_back upper_extremity
            upper_extremity_right upper_extremity_left upper_extremity_wrist upper_extremity_wrist_right
            upper_extremity_wrist_left upper_extremity_finger upper_extremity_finger_right
            upper_extremity_finger_left upper_extremity_hand upper_extremity_hand_right
            upper_extremity_hand_left lower_extremity lower_extremity_right lower_extremity_left
            lower_extremity_ankle lower_extremity_ankle_right lower_extremity_ankle_left lower_extremity_foot
            lower_extremity_foot_right lower_extremity_foot_left pants_pocket pants_pocket_right
            pants_pocket_left chest_pocket chest_pocket_right chest_pocket_left
            """),
        .number("database_change_increment", .uint32),
        .number("user_index", .uint8, unknown: 255),
    ]
}
