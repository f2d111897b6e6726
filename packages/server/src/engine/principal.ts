import type { Principal } from './call.ts'

/** The API key that calls, for what is created with it and ends with it; null for a user. */
export const apiKeyOf = ({ kind, id }: Principal): string | null => (kind === 'api_key' ? id : null)
