import type { Call } from '../../engine/call.ts'

/** True for a caller without credentials, or without an organization: the pages that it reads have no data of a tenant. */
export const hasNoOrganization = (call: Pick<Call, 'principal'>): boolean => call.principal.organization === null
