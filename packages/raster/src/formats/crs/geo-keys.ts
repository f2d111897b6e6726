/** The GeoKeys that describe a reference system, by their names in OGC GeoTIFF 1.1 (19-008r4) or, where it has none, in GDAL. */
export const geoKeyCodes = {
  modelType: 1024,
  citation: 1026,
  geodeticCrs: 2048,
  geodeticCitation: 2049,
  geodeticDatum: 2050,
  primeMeridian: 2051,
  linearUnits: 2052,
  linearUnitSize: 2053,
  angularUnits: 2054,
  angularUnitSize: 2055,
  ellipsoid: 2056,
  semiMajorAxis: 2057,
  semiMinorAxis: 2058,
  inverseFlattening: 2059,
  primeMeridianLongitude: 2061,
  toWgs84: 2062,
  projectedCrs: 3072,
  projectedCitation: 3073,
  projection: 3074,
  method: 3075,
  projectedUnits: 3076,
  projectedUnitSize: 3077,
} as const

export const user_defined_geo_key_code = 32_767

/** One parameter of a projection: its keys in GeoKeys and well-known text, and its unit. */
export interface ProjectionParameterDefinition {
  /** The first key that is present counts: writers differ in which of the three origins they use. */
  readonly keys: readonly number[]
  /** Names in well-known text of all versions, in lower case, underscores for all that is no letter or digit. */
  readonly names: readonly string[]
  readonly unit: 'angle' | 'length' | 'number'
  readonly otherwise: number
}

const source = (
  keys: readonly number[],
  names: readonly string[],
  unit: ProjectionParameterDefinition['unit'],
  otherwise = 0,
): ProjectionParameterDefinition => ({ keys, names, unit, otherwise })

/** The parameters of all methods. Missing ones have the value that GDAL takes for them. */
export const projectionParameterSources = {
  latitude: source(
    [3081, 3085, 3089],
    [
      'latitude_of_origin',
      'latitude_of_center',
      'latitude_of_centre',
      'latitude_of_natural_origin',
      'latitude_of_false_origin',
      'latitude_of_projection_centre',
    ],
    'angle',
  ),
  longitude: source(
    [3080, 3084, 3088],
    [
      'central_meridian',
      'longitude_of_center',
      'longitude_of_centre',
      'longitude_of_origin',
      'longitude_of_natural_origin',
      'longitude_of_false_origin',
      'longitude_of_projection_centre',
    ],
    'angle',
  ),
  poleLongitude: source(
    [3095, 3080, 3084, 3088],
    ['central_meridian', 'longitude_of_origin', 'longitude_of_natural_origin'],
    'angle',
  ),
  parallel1: source(
    [3078],
    [
      'standard_parallel_1',
      'pseudo_standard_parallel_1',
      'latitude_of_1st_standard_parallel',
      'latitude_of_standard_parallel',
      'latitude_of_pseudo_standard_parallel',
    ],
    'angle',
  ),
  parallel2: source([3079], ['standard_parallel_2', 'latitude_of_2nd_standard_parallel'], 'angle'),
  scale: source(
    [3092, 3093],
    [
      'scale_factor',
      'scale_factor_at_natural_origin',
      'scale_factor_on_initial_line',
      'scale_factor_at_projection_centre',
      'scale_factor_on_pseudo_standard_parallel',
    ],
    'number',
    1,
  ),
  azimuth: source([3094], ['azimuth', 'azimuth_of_initial_line', 'azimuth_at_projection_centre'], 'angle'),
  rectifiedAngle: source(
    [3096],
    ['rectified_grid_angle', 'xy_plane_rotation', 'angle_from_rectified_to_skew_grid'],
    'angle',
    Number.NaN,
  ),
  easting: source(
    [3082, 3090, 3086],
    ['false_easting', 'easting_at_false_origin', 'easting_at_projection_centre'],
    'length',
  ),
  northing: source(
    [3083, 3091, 3087],
    ['false_northing', 'northing_at_false_origin', 'northing_at_projection_centre'],
    'length',
  ),
  height: source([], ['satellite_height', 'height'], 'length', Number.NaN),
  option: source([], ['option'], 'number'),
  /** Which radius ESRI's Web Mercator takes; 0 is the semi-major axis. */
  sphere: source([], ['auxiliary_sphere_type'], 'number'),
  planeRotation: source([], ['xy_plane_rotation'], 'angle'),
} as const satisfies Record<string, ProjectionParameterDefinition>

export type ProjectionParameters = Readonly<Record<keyof typeof projectionParameterSources, number>>
