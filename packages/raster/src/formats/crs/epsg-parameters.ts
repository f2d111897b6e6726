/**
 * What EPSG codes in GeoKeys stand for where the key names no whole reference system: ellipsoids, prime meridians and
 * units (EPSG register v10, on the Earth and not deprecated).
 */

const FOOT_CLARKE = 0.3047972654
const FOOT_INDIAN = 0.304799510248147
const FOOT = 0.3048

/** Ellipsoids by code: semi-major axis in metres, and either the inverse flattening or the semi-minor axis. */
export const ELLIPSOIDS: Readonly<Record<number, { readonly a: number; readonly rf?: number; readonly b?: number }>> = {
  // CGCS2000
  1024: { a: 6_378_137, rf: 298.257222101 },
  // GSK-2011
  1025: { a: 6_378_136.5, rf: 298.2564151 },
  // Zach 1812
  1026: { a: 6_376_045, rf: 310 },
  // Airy 1830
  7001: { a: 6_377_563.396, rf: 299.3249646 },
  // Airy Modified 1849
  7002: { a: 6_377_340.189, rf: 299.3249646 },
  // Australian National Spheroid
  7003: { a: 6_378_160, rf: 298.25 },
  // Bessel 1841
  7004: { a: 6_377_397.155, rf: 299.1528128 },
  // Bessel Modified
  7005: { a: 6_377_492.018, rf: 299.1528128 },
  // Clarke 1858
  7007: { a: 20_926_348 * FOOT_CLARKE, b: 20_855_233 * FOOT_CLARKE },
  // Clarke 1866
  7008: { a: 6_378_206.4, b: 6_356_583.8 },
  // Clarke 1880 (Benoit)
  7010: { a: 6_378_300.789, b: 6_356_566.435 },
  // Clarke 1880 (IGN)
  7011: { a: 6_378_249.2, b: 6_356_515 },
  // Clarke 1880 (RGS)
  7012: { a: 6_378_249.145, rf: 293.465 },
  // Clarke 1880 (Arc)
  7013: { a: 6_378_249.145, rf: 293.4663077 },
  // Clarke 1880 (SGA 1922)
  7014: { a: 6_378_249.2, rf: 293.46598 },
  // Everest 1830 (1937 Adjustment)
  7015: { a: 6_377_276.345, rf: 300.8017 },
  // Everest 1830 (1967 Definition)
  7016: { a: 6_377_298.556, rf: 300.8017 },
  // Everest 1830 Modified
  7018: { a: 6_377_304.063, rf: 300.8017 },
  // GRS 1980
  7019: { a: 6_378_137, rf: 298.257222101 },
  // Helmert 1906
  7020: { a: 6_378_200, rf: 298.3 },
  // Indonesian National Spheroid
  7021: { a: 6_378_160, rf: 298.247 },
  // International 1924
  7022: { a: 6_378_388, rf: 297 },
  // Krassowsky 1940
  7024: { a: 6_378_245, rf: 298.3 },
  // NWL 9D
  7025: { a: 6_378_145, rf: 298.25 },
  // Plessis 1817
  7027: { a: 6_376_523, rf: 308.64 },
  // Struve 1860
  7028: { a: 6_378_298.3, rf: 294.73 },
  // War Office
  7029: { a: 6_378_300, rf: 296 },
  // WGS 84
  7030: { a: 6_378_137, rf: 298.257223563 },
  // GEM 10C
  7031: { a: 6_378_137, rf: 298.257223563 },
  // OSU86F
  7032: { a: 6_378_136.2, rf: 298.257223563 },
  // OSU91A
  7033: { a: 6_378_136.3, rf: 298.257223563 },
  // Clarke 1880
  7034: { a: 20_926_202 * FOOT_CLARKE, b: 20_854_895 * FOOT_CLARKE },
  // GRS 1967
  7036: { a: 6_378_160, rf: 298.247167427 },
  // Average Terrestrial System 1977
  7041: { a: 6_378_135, rf: 298.257 },
  // Everest (1830 Definition)
  7042: { a: 20_922_931.8 * FOOT_INDIAN, b: 20_853_374.58 * FOOT_INDIAN },
  // WGS 72
  7043: { a: 6_378_135, rf: 298.26 },
  // Everest 1830 (1962 Definition)
  7044: { a: 6_377_301.243, rf: 300.8017255 },
  // Everest 1830 (1975 Definition)
  7045: { a: 6_377_299.151, rf: 300.8017255 },
  // Bessel Namibia (GLM)
  7046: { a: 6_377_397.155 * 1.0000135965, rf: 299.1528128 },
  // GRS 1980 Authalic Sphere
  7048: { a: 6_371_007, b: 6_371_007 },
  // IAG 1975
  7049: { a: 6_378_140, rf: 298.257 },
  // GRS 1967 Modified
  7050: { a: 6_378_160, rf: 298.25 },
  // Danish 1876
  7051: { a: 6_377_019.27, rf: 300 },
  // Clarke 1866 Authalic Sphere
  7052: { a: 6_370_997, b: 6_370_997 },
  // Hough 1960
  7053: { a: 6_378_270, rf: 297 },
  // PZ-90
  7054: { a: 6_378_136, rf: 298.257839303 },
  // Clarke 1880 (international foot)
  7055: { a: 20_926_202 * FOOT, b: 20_854_895 * FOOT },
  // Everest 1830 (RSO 1969)
  7056: { a: 6_377_295.664, rf: 300.8017 },
  // International 1924 Authalic Sphere
  7057: { a: 6_371_228, b: 6_371_228 },
  // Hughes 1980
  7058: { a: 6_378_273, b: 6_356_889.449 },
}

const sexagesimal = (degrees: number, minutes: number, seconds: number): number =>
  degrees + minutes / 60 + seconds / 3600

/** Longitude of prime meridians by code, in degrees east of Greenwich. */
export const PRIME_MERIDIANS: Readonly<Record<number, number>> = {
  8901: 0,
  // Lisbon
  8902: -sexagesimal(9, 7, 54.862),
  // Paris
  8903: 2.5969213 * 0.9,
  // Bogota
  8904: -sexagesimal(74, 4, 51.3),
  // Madrid
  8905: -sexagesimal(3, 41, 14.55),
  // Rome
  8906: sexagesimal(12, 27, 8.4),
  // Bern
  8907: sexagesimal(7, 26, 22.5),
  // Jakarta
  8908: sexagesimal(106, 48, 27.79),
  // Ferro
  8909: -sexagesimal(17, 40, 0),
  // Brussels
  8910: sexagesimal(4, 22, 4.71),
  // Stockholm
  8911: sexagesimal(18, 3, 29.8),
  // Athens
  8912: sexagesimal(23, 42, 58.815),
  // Oslo
  8913: sexagesimal(10, 43, 22.5),
  // Paris RGS
  8914: sexagesimal(2, 20, 13.95),
}

/** Units of angle by code, in degrees; only those that are one number. */
export const ANGULAR_UNITS: Readonly<Record<number, number>> = {
  9101: 180 / Math.PI,
  9102: 1,
  9103: 1 / 60,
  9104: 1 / 3600,
  9105: 0.9,
  9106: 0.9,
  9109: 180e-6 / Math.PI,
  9112: 0.009,
  9113: 0.000_09,
  9114: 0.056_25,
  9122: 1,
}

/** Units of length by code, in metres. */
export const LINEAR_UNITS: Readonly<Record<number, number>> = {
  1025: 0.001,
  1033: 0.01,
  9001: 1,
  9002: 0.3048,
  9003: 1200 / 3937,
  9005: 0.3047972654,
  9014: 1.8288,
  9030: 1852,
  9031: 1.0000135965,
  9033: 20.1168402336805,
  9034: 0.201168402336805,
  9035: 1609.34721869444,
  9036: 1000,
  9037: 0.9143917962,
  9038: 20.1166195164,
  9039: 0.201166195164,
  9040: 0.914398414616029,
  9041: 0.304799471538676,
  9042: 20.1167651215526,
  9043: 0.201167651215526,
  9050: 0.9143992,
  9051: 0.304799733333333,
  9052: 20.1167824,
  9053: 0.201167824,
  9060: 0.914399204289812,
  9061: 0.304799734763271,
  9062: 20.1167824943759,
  9063: 0.201167824943759,
  9070: 0.304800833333333,
  9080: 0.304799510248147,
  9081: 0.30479841,
  9082: 0.3047996,
  9083: 0.3047995,
  9084: 0.914398530744441,
  9085: 0.91439523,
  9086: 0.9143988,
  9087: 0.9143985,
  9093: 1609.344,
  9094: 0.304799710181509,
  9095: 0.3048007491,
  9096: 0.9144,
  9097: 20.1168,
  9098: 0.201168,
  9099: 0.914398,
  9300: 0.304799333333333,
  9301: 20.116756,
  9302: 0.20116756,
}
