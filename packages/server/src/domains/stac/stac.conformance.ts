import { stacConformance } from '@swath/contract/operations/stac.ts'
import { handler } from '../../engine/handler.ts'
import { conformance } from './landing.ts'

export const readStacConformance = handler(stacConformance, async () => ({ conformsTo: [...conformance] }))
