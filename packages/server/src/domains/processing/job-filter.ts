import { parseList } from '../../engine/sorted-page.ts'

/** States as they are stored; `canceled` and upper case are accepted. */
export const parseStatuses = (text: string | null | undefined): string[] | null =>
  parseList(text)?.map((status) => status.toLowerCase().replace(/^canceled$/, 'cancelled')) ?? null
