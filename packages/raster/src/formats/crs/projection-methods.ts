import type { Parameters } from './geo-keys.ts'

/** A method of projection: how files name it and how proj4 text says it. */
export interface ProjectionMethod {
  /** As in a sentence. */
  readonly name: string
  /** Value of ProjMethodGeoKey (3075); null for a method that GeoKeys cannot say. */
  readonly geoKey: number | null
  /** Names in well-known text (OGC and ESRI), in lower case. */
  readonly wkt: readonly string[]
  /** Which values this row is for, where one code or name stands for several methods; the first row that applies counts. */
  readonly applies?: (given: Parameters) => boolean
  /** proj4 text without false origin, units and datum; null for a method that is not projected. */
  readonly text: ((given: Parameters) => string) | null
}

const POLE = 90
const CLOSE = 1e-8
const isPole = (latitude: number): boolean => Math.abs(Math.abs(latitude) - POLE) < CLOSE
const poleOf = (latitude: number): number => (latitude < 0 ? -POLE : POLE)
const isUnit = (scale: number): boolean => Math.abs(scale - 1) < 1e-12

const origin = ({ latitude, longitude }: Parameters): string => `+lat_0=${latitude} +lon_0=${longitude}`
const scaled = (given: Parameters): string => `${origin(given)} +k_0=${given.scale}`
const parallels = (given: Parameters): string => `${origin(given)} +lat_1=${given.parallel1} +lat_2=${given.parallel2}`
const meridian = ({ longitude }: Parameters): string => `+lon_0=${longitude}`
const polar = ({ latitude, poleLongitude }: Parameters): string =>
  `+proj=stere +lat_0=${poleOf(latitude)} +lon_0=${poleLongitude}`
const rectifiedOf = ({ rectifiedAngle, azimuth }: Parameters): number =>
  Number.isNaN(rectifiedAngle) ? azimuth : rectifiedAngle
const oblique = (given: Parameters): string =>
  `+lat_0=${given.latitude} +lonc=${given.longitude} +alpha=${given.azimuth} +gamma=${rectifiedOf(given)} +k_0=${given.scale}`
/** The Swiss form, which is exact where the initial line runs due east. */
const isSwiss = (given: Parameters): boolean => given.azimuth === 90 && rectifiedOf(given) === 90

const method = (
  name: string,
  geoKey: number | null,
  wkt: readonly string[],
  text: ProjectionMethod['text'],
  applies?: ProjectionMethod['applies'],
): ProjectionMethod => (applies ? { name, geoKey, wkt, text, applies } : { name, geoKey, wkt, text })

const POLAR_NAMES = ['polar_stereographic', 'stereographic_north_pole', 'stereographic_south_pole']
const SWISS_NAMES = [
  'swiss_oblique_cylindrical',
  'hotine_oblique_mercator_azimuth_center',
  'rectified_skew_orthomorphic_center',
]

/**
 * Every method that a GeoTIFF can name: the codes of OGC 19-008r4 (annex C), those that GDAL adds (28, 9815), and those
 * that GDAL and ESRI say by well-known text in a citation. What is not projected is here too, so that it is named.
 */
export const PROJECTION_METHODS: readonly ProjectionMethod[] = [
  method('Transverse Mercator', 1, ['transverse_mercator', 'gauss_kruger'], (p) => `+proj=tmerc ${scaled(p)}`),
  method('Transverse Mercator, modified for Alaska', 2, [], null),
  method(
    'Hotine Oblique Mercator (variant A)',
    3,
    [
      'hotine_oblique_mercator',
      'hotine_oblique_mercator_azimuth_natural_origin',
      'rectified_skew_orthomorphic_natural_origin',
    ],
    (p) => `+proj=omerc +no_uoff ${oblique(p)}`,
  ),
  method('Laborde Oblique Mercator', 4, ['laborde_oblique_mercator'], null),
  method('Swiss Oblique Mercator', 5, [], (p) => `+proj=somerc ${scaled(p)}`),
  method('Oblique Mercator on a sphere', 6, [], null),
  method(
    'Mercator (variant B)',
    7,
    ['mercator_2sp', 'mercator'],
    (p) => `+proj=merc +lat_ts=${p.parallel1} ${meridian(p)}`,
    (p) => p.parallel1 !== 0,
  ),
  method(
    'Mercator (variant A)',
    7,
    ['mercator_1sp', 'mercator'],
    (p) => `+proj=merc ${meridian(p)} +k_0=${p.scale}`,
    (p) => p.latitude === 0,
  ),
  method('Mercator with a latitude of origin', 7, ['mercator_1sp', 'mercator'], null),
  method(
    'Web Mercator',
    null,
    ['mercator_auxiliary_sphere'],
    (p) => `+proj=merc ${meridian(p)} +R=6378137`,
    (p) => p.parallel1 === 0,
  ),
  method('Lambert Conic Conformal (2SP)', 8, ['lambert_conformal_conic_2sp'], (p) => `+proj=lcc ${parallels(p)}`),
  method(
    'Lambert Conic Conformal (2SP)',
    null,
    ['lambert_conformal_conic'],
    (p) => `+proj=lcc ${parallels(p)}`,
    (p) => isUnit(p.scale) && p.parallel2 !== 0,
  ),
  method(
    'Lambert Conic Conformal (1SP)',
    null,
    ['lambert_conformal_conic'],
    (p) => `+proj=lcc +lat_1=${p.parallel1} ${scaled(p)}`,
    (p) => p.parallel2 === 0,
  ),
  method('Lambert Conic Conformal (2SP) with a scale', null, ['lambert_conformal_conic'], null),
  method(
    'Lambert Conic Conformal (1SP)',
    9,
    ['lambert_conformal_conic_1sp'],
    (p) => `+proj=lcc +lat_1=${p.latitude} ${scaled(p)}`,
  ),
  method('Lambert Azimuthal Equal Area', 10, ['lambert_azimuthal_equal_area'], (p) => `+proj=laea ${origin(p)}`),
  method('Albers Equal Area', 11, ['albers_conic_equal_area', 'albers'], (p) => `+proj=aea ${parallels(p)}`),
  method('Azimuthal Equidistant', 12, ['azimuthal_equidistant'], (p) => `+proj=aeqd ${origin(p)}`),
  method('Equidistant Conic', 13, ['equidistant_conic'], (p) => `+proj=eqdc ${parallels(p)}`),
  method('Stereographic', 14, ['stereographic'], (p) => `+proj=stere ${scaled(p)}`),
  method(
    'Polar Stereographic (variant A)',
    15,
    ['polar_stereographic'],
    (p) => `${polar(p)} +k_0=${p.scale}`,
    (p) => isPole(p.latitude) && p.parallel1 === 0,
  ),
  method(
    'Polar Stereographic (variant B)',
    15,
    ['polar_stereographic'],
    (p) => `${polar(p)} +lat_ts=${p.latitude}`,
    (p) => isUnit(p.scale) && p.latitude !== 0 && p.parallel1 === 0,
  ),
  method(
    'Polar Stereographic (variant B)',
    null,
    POLAR_NAMES.slice(1),
    (p) => `${polar({ ...p, latitude: p.parallel1 })} +lat_ts=${p.parallel1}`,
    (p) => isUnit(p.scale) && p.parallel1 !== 0 && !isPole(p.parallel1),
  ),
  method(
    'Polar Stereographic (variant A)',
    null,
    POLAR_NAMES.slice(1),
    (p) => `${polar({ ...p, latitude: p.parallel1 })} +k_0=${p.scale}`,
    (p) => isPole(p.parallel1),
  ),
  method('Polar Stereographic with a latitude of true scale and a scale', 15, POLAR_NAMES, null),
  method(
    'Oblique Stereographic',
    16,
    ['oblique_stereographic', 'double_stereographic'],
    (p) => `+proj=sterea ${scaled(p)}`,
  ),
  method(
    'Equidistant Cylindrical',
    17,
    ['equirectangular', 'equidistant_cylindrical', 'plate_carree'],
    (p) => `+proj=eqc +lat_ts=${p.parallel1} ${origin(p)}`,
  ),
  method(
    'Cassini-Soldner',
    18,
    ['cassini_soldner', 'cassini'],
    (p) => `+proj=cass ${origin(p)}`,
    (p) => isUnit(p.scale),
  ),
  method('Cassini-Soldner with a scale', 18, ['cassini_soldner', 'cassini'], null),
  method('Gnomonic', 19, ['gnomonic'], (p) => `+proj=gnom ${origin(p)}`),
  method('Miller Cylindrical', 20, ['miller_cylindrical'], (p) => `+proj=mill +R_A ${meridian(p)}`),
  method('Orthographic', 21, ['orthographic'], (p) => `+proj=ortho ${origin(p)}`),
  method(
    'American Polyconic',
    22,
    ['polyconic'],
    (p) => `+proj=poly ${origin(p)}`,
    (p) => isUnit(p.scale),
  ),
  method('American Polyconic with a scale', 22, ['polyconic'], null),
  method('Robinson', 23, ['robinson'], (p) => `+proj=robin ${meridian(p)}`),
  method('Sinusoidal', 24, ['sinusoidal'], (p) => `+proj=sinu ${meridian(p)}`),
  method('Van der Grinten', 25, ['vandergrinten', 'van_der_grinten_i'], (p) => `+proj=vandg +R_A ${meridian(p)}`),
  method('New Zealand Map Grid', 26, ['new_zealand_map_grid'], (p) => `+proj=nzmg ${origin(p)}`),
  method('Transverse Mercator (South Orientated)', 27, ['transverse_mercator_south_orientated'], null),
  method(
    'Lambert Cylindrical Equal Area',
    28,
    ['cylindrical_equal_area'],
    (p) => `+proj=cea +lat_ts=${p.parallel1} ${meridian(p)}`,
  ),
  method('Swiss Oblique Mercator', 9815, SWISS_NAMES, (p) => `+proj=somerc ${scaled(p)}`, isSwiss),
  method('Hotine Oblique Mercator (variant B)', 9815, SWISS_NAMES.slice(1), (p) => `+proj=omerc ${oblique(p)}`),
  method(
    'Krovak',
    null,
    ['krovak'],
    (p) => `+proj=krovak ${scaled(p)}`,
    (p) => p.parallel1 === 78.5 && p.planeRotation === 90,
  ),
  method('Krovak with other axes or another cone', null, ['krovak'], null),
  method(
    'Geostationary Satellite View',
    null,
    ['geostationary_satellite'],
    (p) => `+proj=geos ${meridian(p)} +h=${p.height} +sweep=${p.option === 1 ? 'x' : 'y'}`,
    (p) => p.height > 0,
  ),
  method('Mollweide', null, ['mollweide'], (p) => `+proj=moll ${meridian(p)}`),
  method('Eckert VI', null, ['eckert_vi'], (p) => `+proj=eck6 ${meridian(p)}`),
  method('Bonne', null, ['bonne'], (p) => `+proj=bonne ${meridian(p)} +lat_1=${p.parallel1}`),
]
