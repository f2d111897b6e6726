import { limits } from '@swath/contract/limits.ts'

/** The STAC API answers fewer items than were asked for rather than refusing to answer so many. */
export const clampLimit = <T extends { readonly limit: number }>(input: T): T => ({
  ...input,
  limit: Math.min(input.limit, limits.stac_search_limit.maximum),
})
