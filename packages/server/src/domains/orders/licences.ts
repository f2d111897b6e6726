import { validationProblem } from '../../engine/problem.ts'
import type { HostPrice, HostScene, ImageryHost } from '../../platform/integrations/imagery-host.ts'
import { findHostCollection } from '../catalog/hosts.ts'

interface LicensableCapture {
  readonly price: HostPrice | null
  readonly host: ImageryHost
  readonly scene: HostScene
}

/** The licences of a capture: those of its product, the standard one first; a free scene has only its own. */
export const listOfferedLicences = ({ price, host, scene }: LicensableCapture): readonly string[] =>
  price?.licences ?? [findHostCollection(host, scene)?.license ?? host.license]

/** The requested licence if the product of the capture offers it, else the standard one. */
export function chooseCaptureLicence(capture: LicensableCapture, requested: string | null): string {
  const offered = listOfferedLicences(capture)
  return requested !== null && offered.includes(requested) ? requested : (offered[0] ?? '')
}

/**
 * The licence of each capture: the requested one if its product offers it, else the standard one. Throws `validation` if a
 * paid capture, or no capture at all, is offered under the requested licence.
 */
export function assignCaptureLicences(captures: readonly LicensableCapture[], requested: string | null): string[] {
  const offers = captures.map(listOfferedLicences)
  const priced = captures.filter(({ price }) => price !== null).map(listOfferedLicences)
  if (requested !== null) {
    const offered = (licences: readonly string[]): boolean => licences.includes(requested)
    if (!priced.every(offered) || !offers.some(offered)) throw licenceProblem(priced.length > 0 ? priced : offers)
  }
  return captures.map((capture) => chooseCaptureLicence(capture, requested))
}

function licenceProblem(offers: readonly (readonly string[])[]): Error {
  const common = offers.reduce((left, right) => left.filter((licence) => right.includes(licence)))
  const message =
    common.length > 0
      ? `must be one of: ${common.join(', ')}`
      : 'must be omitted: no licence is offered for all captures'
  return validationProblem([{ path: 'licenseType', message }])
}

/** The common licence of all captures; null if they differ. */
export const findCommonLicence = (licences: readonly string[]): string | null =>
  new Set(licences).size === 1 ? (licences[0] ?? null) : null
