/** The rules of a distributed engine, by the word that the list of findings has for each. */
export const findingKinds = {
  organization: 'every tenant table of a statement is limited to one organization',
  join: 'tables are joined by their organization, besides other columns',
  'across-organizations':
    'a statement for several organizations only reads, each node its own rows, or runs for one at a time',
  'changed-organization': 'the organization of a row never changes',
  'skip-locked': 'locks that are skipped are those of one organization',
  'on-conflict': 'what a conflict updates is computed by immutable functions of the two rows and of parameters',
  volatile: 'volatile functions are called before the statement, and their result is a parameter',
  'set-function': 'rows are inserted as a list of VALUES',
  subquery: 'no subquery is within an INSERT or in RETURNING',
  'parent-and-child': 'rows are inserted in an earlier part of a statement than the rows that reference them',
  trigger: 'tenant tables have no triggers but those that refuse changes',
  key: 'the organization is part of every key of a tenant table',
  sequence: 'no column of a tenant table is numbered by a sequence',
  unread: 'every statement is read',
} as const satisfies Record<string, string>

export type FindingKind = keyof typeof findingKinds

/** One violation within a statement. */
export interface StatementFinding {
  readonly kind: FindingKind
  /** What is wrong, as the second half of a sentence. */
  readonly detail: string
}
