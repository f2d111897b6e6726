import { signedCatalogPrefix } from '@swath/contract/routes.ts'
import type { StacAsset, StacItem, StacLink } from '@swath/contract/schemas/stac.ts'
import type { Call } from '../../engine/call.ts'
import { createAssetTokenIssuer } from '../identity/asset-tokens/asset-tokens.ts'

// The signed catalogue: the STAC API at another base URL, in which the URLs of files have a token. The plain catalogue has none,
// because its Features are cached for the whole organization, have entity tags that updates compare, and `href` is what clients
// extend by a path.

/** The extensions that the changed members belong to. */
const extensions = [
  'https://stac-extensions.github.io/alternate-assets/v1.2.0/schema.json',
  'https://stac-extensions.github.io/authentication/v1.1.0/schema.json',
] as const

/** The base URL without the prefix of the signed catalogue. */
export const plainBase = (base: string): string =>
  base.endsWith(signedCatalogPrefix) ? base.slice(0, -signedCatalogPrefix.length) : base

/** Changes Features of the signed catalogue; null for those of another base URL, which stay as they are. */
export function createAssetSigner(call: Call, base: string): ((feature: StacItem) => StacItem) | null {
  const issueToken = base === `${call.baseUrl}${signedCatalogPrefix}` ? createAssetTokenIssuer(call) : null
  if (issueToken === null) return null
  const signer: FeatureSigner = { base, plain: call.baseUrl, schemes: describeSchemes(call.baseUrl), issueToken }
  return (feature) => signFeature(signer, feature)
}

interface FeatureSigner {
  /** The base URL in the Feature. */
  readonly base: string
  readonly plain: string
  readonly schemes: Readonly<Record<string, object>>
  readonly issueToken: (item_id: string) => string
}

/** How a caller is authenticated at the plain URL of a file, and how to get a URL that needs nothing. */
const describeSchemes = (plain: string): Readonly<Record<string, object>> => ({
  token: { type: 'openIdConnect', openIdConnectUrl: `${plain}/.well-known/openid-configuration` },
  signed: {
    type: 'signedUrl',
    description: 'The URL has a token that expires within a day. Read the item again for one with a new token.',
    flows: {
      authorizationCode: {
        authorizationApi: `${plain}/v1/op/items.asset.download`,
        method: 'POST',
        parameters: {
          item_id: { in: 'body', required: true, description: 'The id of the item.', schema: { type: 'string' } },
          asset_id: {
            in: 'body',
            required: true,
            description: 'The last part of the path.',
            schema: { type: 'string' },
          },
        },
        responseField: 'url',
      },
    },
  },
})

function signFeature({ base, plain, schemes, issueToken }: FeatureSigner, feature: StacItem): StacItem {
  const token = issueToken(String(feature.properties['service:item_id']))
  const files = `${base}/api/v1/items/`
  const signAsset = (asset: StacAsset): StacAsset => {
    if (!asset.href.startsWith(files)) return asset
    const href = plain + asset.href.slice(base.length)
    return {
      ...asset,
      href: `${href}?key=${token}`,
      'auth:refs': ['signed'],
      alternate: { ...alternatesOf(asset), token: { href, title: 'With an access token', 'auth:refs': ['token'] } },
    } as StacAsset
  }
  const own = `${base}/v1/`
  const toPlainLink = (link: StacLink): StacLink =>
    link.href.startsWith(own) ? { ...link, href: plain + link.href.slice(base.length) } : link
  return {
    ...feature,
    stac_extensions: [...new Set([...feature.stac_extensions, ...extensions])],
    properties: { ...feature.properties, 'auth:schemes': { ...schemesOf(feature), ...schemes } },
    assets: Object.fromEntries(Object.entries(feature.assets).map(([key, asset]) => [key, signAsset(asset)])),
    links: feature.links.map(toPlainLink),
  }
}

const alternatesOf = (asset: StacAsset): object => ('alternate' in asset ? (asset.alternate as object) : {})
const schemesOf = ({ properties }: StacItem): object => (properties['auth:schemes'] as object | undefined) ?? {}
