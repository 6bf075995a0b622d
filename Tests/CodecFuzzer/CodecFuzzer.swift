import CodecFuzzing

/// What libFuzzer calls, again and again, with bytes that reach code that no bytes before did.
///
///     BLUEFLEET_FUZZ=1 swift build --product CodecFuzzer --sanitize fuzzer -Xswiftc -sanitize=address,fuzzer
///     .build/debug/CodecFuzzer corpus/
///
/// The compiler has no sanitizer for undefined behaviour: what that would find in C stops a Swift program.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCodec(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    FuzzedInput.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
