/** The interfaces that have OpenAPI documents of their own, besides that of the operations. */
export const interfaceNames = ['stac', 'processes', 'stapi', 'v2', 'identity', 'routes'] as const

export type InterfaceName = (typeof interfaceNames)[number]

/** The OpenAPI documents of an interface, the newer version first; some programs read only 3.0. */
export const listServiceDescriptions = (
  base: string,
  name: InterfaceName,
): readonly { readonly href: string; readonly type: string }[] => [
  { href: `${base}/openapi/${name}.json`, type: 'application/vnd.oai.openapi+json;version=3.1' },
  { href: `${base}/openapi/${name}-3.0.json`, type: 'application/vnd.oai.openapi+json;version=3.0' },
]
