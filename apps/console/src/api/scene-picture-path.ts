/** The URL of a picture of a scene of a host: some hundred kilobytes for the map, or small enough for a list. */
export const scenePicturePath = (kind: 'quicklook' | 'thumbnail', host: string, scene_id: string): string =>
  `/catalog/${encodeURIComponent(host)}/image/${encodeURIComponent(scene_id)}/${kind}`
