export const EARTH_RADIUS_M = 6_371_000
export const maxVertices = 10_000
export const default_unit = 'km2'
export const defaultLifetime_s = '60'
export const min_area_km2 = 0.1
export const unitNames = ['km2', 'ha']
const client_id = 'swath'
export const request = { client_id }
