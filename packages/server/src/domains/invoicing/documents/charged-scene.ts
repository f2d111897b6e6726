import type { DocumentLine } from './billing-document.ts'

/**
 * The scene of a charge of an order, which its description names with the host: `commercial:20260301_A`. The description of
 * a tasking order, which has none before it is collected, begins with another word.
 */
export const parseChargedScene = (charge: {
  readonly reference_type: string
  readonly description: string | null
}): Pick<DocumentLine, 'scene_id'> =>
  charge.reference_type === 'order' && charge.description !== null && /^[^\s:]+:/.test(charge.description)
    ? { scene_id: charge.description }
    : {}
