import { pictureParameters, type Picture } from '../picture/picture.ts'

export interface ClientUrls {
  readonly xyz: string
  readonly wmts: string
  readonly tilejson: string
  /** WMTS and TileJSON show the picture as it is shown here: they know presets and saved pictures only. */
  readonly isExact: boolean
}

/** Urls are templates: braces stay as they are. */
const withParameters = (url: string, parameters: Readonly<Record<string, string>>): string => {
  const query = new URLSearchParams(parameters).toString()
  return query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`
}

/** The URLs of a tile token for a picture. */
export function clientUrls(
  urls: { readonly tiles: string; readonly wmts: string; readonly tilejson: string },
  picture: Pick<Picture, 'query' | 'overrides'>,
): ClientUrls {
  const { query, overrides } = picture
  const { profile, asset_key } = query
  const known = { ...(profile ? { profile } : {}), ...(asset_key ? { asset_key } : {}) }
  return {
    xyz: withParameters(urls.tiles, pictureParameters(picture)),
    wmts: withParameters(urls.wmts, known),
    tilejson: withParameters(urls.tilejson, known),
    isExact: !query.bands && !query.expression && Object.keys(overrides).length === 0,
  }
}
