import type { UndeclaredProblemListener } from '../src/engine/pipeline.ts'

export interface UndeclaredProblems {
  readonly onUndeclaredProblem: UndeclaredProblemListener
  /** Throws where any was seen. */
  requireNone(): void
}

/**
 * Fails the test that sees an answer with a problem that its operation does not declare: the caller gets 500 instead, and
 * where nobody looks at the answer the end of the file fails.
 */
export function watchUndeclaredProblems(): UndeclaredProblems {
  const seen = new Set<string>()
  return {
    onUndeclaredProblem: (operation, problem) => {
      const sentence = `${operation} ended with ${problem}, which it does not declare`
      seen.add(sentence)
      throw new Error(sentence)
    },
    requireNone: () => {
      if (seen.size > 0) throw new Error([...seen].join('\n'))
    },
  }
}
