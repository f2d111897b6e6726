/** Prefix of the last word of an operation that lists rows. */
const listWords = ['list', 'search', 'transactions', 'pending'] as const

/** Members that say whose rows are listed, such as `project_id`, `userId` and `ids`. */
const isSubject = (name: string): boolean => /(^|_)ids?$|Ids?$/.test(name)

/**
 * Whether the rows of one input may stay in view until those of another have been read: the operation lists rows, and both inputs
 * list the same subject in another search, order or number.
 */
export function keepsRows(operation: string, previous: object, next: object): boolean {
  const word = operation.split('.').at(-1)!
  if (!listWords.some((listWord) => word === listWord || word.startsWith(`${listWord}_`))) return false
  const subjectOf = (input: object): string =>
    JSON.stringify(Object.entries(input).filter(([name]) => isSubject(name)).toSorted()) // prettier-ignore
  return subjectOf(previous) === subjectOf(next)
}
