import type { Access } from '../permissions.ts'

/** What a credential may do: one of a few sets, or chosen scopes. */
export interface AccessDraft {
  readonly access: Access
  readonly scopes: readonly string[]
}

export const isAccessComplete = ({ access, scopes }: AccessDraft): boolean => access !== 'chosen' || scopes.length > 0

/** Patterns of the scopes of each set; none of them covers what makes credentials. */
const patterns = {
  read: ['*:read'],
  write: ['*:read', '*:write'],
  process: ['*:read', '*:write', '*:process'],
} as const

export const toScopes = ({ access, scopes }: AccessDraft): string[] => [
  ...(access === 'chosen' ? scopes : patterns[access]),
]
