import { limits } from '@swath/contract/limits.ts'

/** The STAC API clamps a limit beyond the maximum instead of rejecting it. */
export const clampPageLimit = <T extends { readonly limit: number }>(input: T): T => ({
  ...input,
  limit: Math.min(input.limit, limits.stac_search_limit.maximum),
})
