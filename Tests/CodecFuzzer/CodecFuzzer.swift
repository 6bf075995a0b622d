import CodecFuzzing

/// The entry point of libFuzzer, which calls it repeatedly with bytes that reach new code.
///
/// BLUEFLEET_FUZZ=1 swift build --product CodecFuzzer --sanitize fuzzer -Xswiftc -sanitize=address,fuzzer
///      .build/debug/CodecFuzzer corpus/
///
/// The Swift compiler has no sanitizer for undefined behaviour: a Swift program traps where that sanitizer would
/// report.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCodec(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    FuzzedInput.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
