/** The empty collection that a source is created with, until it gets its features. */
export const noFeatures: GeoJSON.FeatureCollection = { type: 'FeatureCollection', features: [] }
