extension AssignedNumbers {
    /// The names of descriptors (Assigned Numbers, 3.7).
    static let descriptorTable = """
        2900 characteristic_extended_properties
        2901 characteristic_user_description
        2902 client_characteristic_configuration
        2903 server_characteristic_configuration
        2904 characteristic_presentation_format
        2905 characteristic_aggregate_format
        2906 valid_range
        2907 external_report_reference
        2908 report_reference
        2909 number_of_digitals
        290A value_trigger_setting
        290B environmental_sensing_configuration
        290C environmental_sensing_measurement
        290D environmental_sensing_trigger_setting
        290E time_trigger_setting
        290F complete_br_edr_transport_block_data
        2910 observation_schedule
        2911 valid_range_and_accuracy
        """
}
