import type { Consent, UserSession } from '@swath/client/operations.ts'

/** The session that a program has used last with a consent; null if none is open. */
export const findLastSession = (
  sessions: readonly UserSession[],
  { client_id, organization_id }: Pick<Consent, 'client_id' | 'organization_id'>,
): UserSession | null =>
  sessions
    .filter((session) => session.client_id === client_id && session.organization_id === organization_id)
    .toSorted((left, right) => right.last_used_at.localeCompare(left.last_used_at))[0] ?? null
