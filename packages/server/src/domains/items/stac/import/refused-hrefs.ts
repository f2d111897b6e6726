import type { StacItem } from '@swath/contract/schemas/stac.ts'
import type { Call } from '../../../../engine/call.ts'
import type { IsInternalUrl } from '../../../../platform/integrations/integrations.ts'

const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null)

/**
 * The check of the hrefs in a Feature: those of internal hosts are refused, because they would be sent to every reader of the
 * item and to workers. Not those of this platform itself, nor those that the item already has.
 */
export function createInternalHrefCheck(
  { integrations, baseUrl }: Pick<Call, 'integrations' | 'baseUrl'>,
  current: Pick<StacItem, 'assets' | 'links'> = { assets: {}, links: [] },
): IsInternalUrl {
  const own_origin = originOf(baseUrl)
  const known = new Set([...Object.values(current.assets), ...current.links].map(({ href }) => href))
  return (url) => integrations.isInternalUrl(url) && originOf(url) !== own_origin && !known.has(url)
}
