/// Keeps tasks on their loop's thread also where they are outside of any actor.
///
/// A continuation resumes on the task's executor first and only then goes back to its actor (measured with Swift 6.3.1):
/// without this preference the first step would start Swift's thread pool. Every unstructured task of the daemon is
/// therefore made as
///
///     Task(executorPreference: loop.tasks) { … }
///
/// It is a type of its own because one type that is both kinds of executor makes each call between actors slower.
package final class LoopTaskExecutor: TaskExecutor {
    private unowned let loop: EventLoop

    init(loop: EventLoop) {
        self.loop = loop
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        loop.enqueue(job)
    }
}
