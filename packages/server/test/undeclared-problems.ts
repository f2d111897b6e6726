import type { UndeclaredProblemListener } from '../src/engine/pipeline/state.ts'

export interface UndeclaredProblems {
  readonly onUndeclaredProblem: UndeclaredProblemListener
  /** Throws if any was seen. */
  requireNone(): void
}

/**
 * Fails a test in which an operation responds with a problem that it does not declare: the caller gets 500 instead, and
 * the end of the file fails even if no test checks the response.
 */
export function watchUndeclaredProblems(): UndeclaredProblems {
  const messages = new Set<string>()
  return {
    onUndeclaredProblem: (operation, problem) => {
      const message = `${operation} ended with ${problem}, which it does not declare`
      messages.add(message)
      throw new Error(message)
    },
    requireNone: () => {
      if (messages.size > 0) throw new Error([...messages].join('\n'))
    },
  }
}
