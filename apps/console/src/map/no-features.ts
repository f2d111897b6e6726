/** What a source is made with, until it is given its features. */
export const noFeatures: GeoJSON.FeatureCollection = { type: 'FeatureCollection', features: [] }
