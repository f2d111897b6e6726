import type { EstimateLine } from '@swath/contract/schemas/price.ts'
import { creditsToAud } from '../catalog/price.ts'
import { findCaptureCancelPolicy } from './cancel-policy.ts'
import { listOfferedLicences } from './licences.ts'
import type { CaptureQuote } from './quote.ts'

/** The price of each capture by itself. */
export const toEstimateLines = ({ captures, shares }: CaptureQuote): EstimateLine[] =>
  captures.map((capture) => {
    const credits = shares.get(capture) ?? 0
    return {
      id: capture.id,
      host: capture.host.name,
      datetime: new Date(capture.scene.datetime).toISOString(),
      area_km2: capture.area_km2,
      minimum_km2: capture.price?.minimum_km2 ?? 0,
      cancel_policy: findCaptureCancelPolicy(capture),
      held_licence: capture.held_licence,
      credits,
      aud: creditsToAud(credits),
      licences: [...listOfferedLicences(capture)],
    }
  })
