/**
 * `epsg-index` copies the parameters of the EPSG register regardless of the method and unit of the operation; `+towgs84` is a
 * position vector transformation (method 9606) in metres, arc-seconds and parts per million. These tables list the tuples of
 * other methods or units, by the text of the package, with datum and operation code (of the register in PROJ 9.5.1). Tuples
 * in none of them are position vectors already.
 */

/** Coordinate frame rotations (methods 9607 and 1032): the axes rotate, not the position, so every angle has the opposite sign. */
const coordinateFrame: ReadonlySet<string> = new Set([
  '23.772,17.49,17.859,0.3132,1.85274,-1.67299,-5.4262', // Israel 1993, 9676
  '2.329,-147.042,-92.08,0.309,-0.325,-0.497,5.69', // Pulkovo 1942(58), 15995
  '-162.619,-276.959,-161.764,-0.067753,2.243648,1.158828,-1.094246', // Hong Kong 1980, 1825
  '-96.062,-82.428,-121.753,-4.801,-0.345,1.376,1.496', // KKJ, 10099
  '-44.183,-0.58,-38.489,-2.3867,-2.7072,3.5196,-8.2703', // Albanian 1987, 7834
  '24.47,-130.89,-81.56,0,0,-0.13,-0.22', // Pulkovo 1995, 5043
  '25,-141,-78.5,0,-0.35,-0.736,0', // Pulkovo 1942, 15865
  '414.1,41.3,603.1,0.855,-2.141,7.023,0', // RT90, 1896
  '-210.502,-66.902,-48.476,-2.094,15.067,5.817,0.485', // Porto Santo 1995, 1967
  '-208.719,129.685,52.092,0.195,0.014,-0.327,0.198', // Azores Oriental 1995, 1971
  '-103.088,162.481,-28.276,-0.167,-0.082,-0.168,-1.504', // Azores Central 1995, 1981
  '-117.808,-51.536,137.784,-0.303,-0.446,-0.234,-0.29', // AGD66, 15980
  '-127.62,-67.24,-47.04,3.068,-4.903,-1.578,-1.06', // PRS92, 15708
  '0.055,-0.541,-0.185,-0.0183,0.0003,0.007,-0.014', // EST92, 1333
  '-191.90441429,-39.30318279,-111.45032835,-0.00928836,0.01975479,-0.00427372,0.252906278', // VN-2000, 6960
  '-292.295,248.758,429.447,-4.9971,-2.99,-6.6906,1.0289', // Bermuda 1957, 15970
  '595.48,121.69,515.35,-4.115,2.9383,-0.853,-3.408', // HD1909, 3817
  '-1.977,-13.06,-9.993,-0.364,-0.254,-0.689,-1.037', // ID74, 1833
  '-288.885,-91.744,126.244,1.691,-0.41,0.211,-4.598', // Lisbon, 1988
  '-33.722,153.789,94.959,8.581,4.478,-4.54,8.95', // JAD69, 15927
  '-239.749,88.181,30.488,-0.263,-0.082,-1.211,2.229', // Datum 73, 1987
  '-106.8686,52.2978,-103.7239,-0.3366,0.457,-1.8422,-1.2747', // BD72, 15929
  '226.702,-193.337,-35.371,2.229,4.391,-9.238,0.9798', // KUDAMS, 1062
  '631.392,-66.551,481.442,-1.09,4.445,4.487,-4.43', // Lisbon 1890, 1990
  '174.05,-25.49,112.57,0,0,-0.554,0.2263', // Chatham Islands 1979, 1081
  '-179.483,-69.379,-27.584,7.862,-8.163,-6.042,-13.925', // GCGD59, 6142
  '8.853,-52.644,180.304,0.393,2.323,-2.96,-24.081', // SIGD61, 6143
  '572.213,85.334,461.94,-4.9732,-1.529,-5.2484,3.5378', // S-JTSK/05, 5227
  '-0.293,766.95,87.713,-0.195704,-1.695068,-3.473016,-0.039338', // SLD99, 5236
  '-0.16959,0.35312,0.51846,-0.03385,0.16325,-0.03446,0.03693', // CR05, 9752
  '584.9636,107.7175,413.8067,-1.1155,-0.2824,3.1384,7.9922', // DB_REF, 5826
  '8.846,-4.394,-1.122,0.00237,0.146528,-0.130428,0.783926', // CGRS93, 7721
  '0.819,-0.5762,-1.6446,0.00378,0.03317,-0.00318,0.0693', // ONGD14, 7377
  '485.021,169.465,483.839,-7.786342,-4.397554,-4.102655,0', // S-JTSK [JTSK03], 8368
  '-93.799,-132.737,-219.073,1.844,-0.648,6.37,-0.169', // Camacupa 2015, 8882
  '1.16835,-1.42001,-2.24431,0.00822,0.05508,-0.01818,0.23388', // ONGD17, 9298
  '565.4171,50.3319,465.5524,1.9342,-1.6677,9.1019,4.0725', // Amersfoort, 4833
  '-0.991,1.9072,0.5129,-1.25033e-07,-4.6785e-08,-5.6529e-08,0', // NAD83(CSRS), 1946
])

const arc_seconds_per_radian = (180 * 3600) / Math.PI

/** Arc-seconds per unit of the angles, where the unit is another one. */
const angleUnits: Readonly<Record<string, number>> = {
  // Microradians.
  '565.4171,50.3319,465.5524,1.9342,-1.6677,9.1019,4.0725': arc_seconds_per_radian / 1e6, // Amersfoort, 4833
  '-83.11,-97.38,-117.22,0.0276,-0.2167,0.2147,0.1218': arc_seconds_per_radian / 1e6, // ED87, 3905
  '982.6087,552.753,-540.873,32.39344,-153.25684,-96.2266,16.805': arc_seconds_per_radian / 1e6, // Helle 1954, 1957
  // Radians.
  '-0.991,1.9072,0.5129,-1.25033e-07,-4.6785e-08,-5.6529e-08,0': arc_seconds_per_radian, // NAD83(CSRS), 1946
  // Milliarc-seconds.
  '0,0,0,-8.393,0.749,-10.276,0': 1e-3, // KSA-GRF17, 9383
}

/** Molodensky-Badekas transformations (method 9636): coordinate frame rotations about a pivot other than the geocentre. */
const pivots: Readonly<Record<string, readonly [x: number, y: number, z: number]>> = {
  '-145.907,505.034,685.756,-1.162,2.347,1.592,6.342': [-3159521.31, 4068151.32, 3748113.85], // Korean 1985, 5191
  '-265.8867,76.9851,20.2667,0.33746,3.09264,-2.53861,0.4598': [4103620.3943, 440486.4235, 4846923.4558], // LUREF, 5484
  '-102.283,-10.277,-257.396,-3.976,-0.002,-6.203,12.315': [5580868.818, 2826402.46, -1243557.996], // Katanga 1955, 4068
  '-127.535,113.495,-12.7,1.603747,-0.153612,-5.364408,5.33745': [4854969.728, 2945552.013, 2868447.61], // Egypt 1907, 7697
  '-270.933,115.599,-360.226,-5.266,-1.238,2.381,-5.109': [2464351.59, -5783466.61, 974809.81], // La Canoa, 1096
  '-202.865,-303.99,-155.873,-34.079,76.126,32.66,6.096': [-2361554.788, 5417536.177, 2391608.926], // Macao 1920, 8438
}

/**
 * Operations between global frames, in millimetres and with yearly rates, or to another national frame: WGS 84 equals these
 * frames within its accuracy.
 */
const noShift: ReadonlySet<string> = new Set([
  '24.54,-36.43,-68.12,-2.7359,-2.0431,0.3731,6.901', // ITRF96 to GDA94, 6280
  '-14.63,-27.62,-25.32,-1.7893,-0.6047,0.9962,6.695', // ITRF97 to GDA94, 6279
  '-79.73,-6.86,38.03,-0.0351,2.1211,2.1411,6.636', // ITRF2005 to GDA94, 6277
  '-0.214,0.119,0.156,-0.01182,0.00811,-0.01677,-0.0059', // IGS08 to IGRS, 6936
])

/** Converts parameters of `epsg-index` (metres, any angle unit, ppm; separated by commas) to the convention of `+towgs84`. */
export function toPositionVector(parameters: string): string {
  if (noShift.has(parameters)) return '0,0,0'
  const pivot = pivots[parameters]
  const unit = angleUnits[parameters] ?? 1
  if (!pivot && unit === 1 && !coordinateFrame.has(parameters)) return parameters
  const [x, y, z, aboutX, aboutY, aboutZ, scale] = parameters.split(',').map(Number) as HelmertParameters
  const factor = pivot || coordinateFrame.has(parameters) ? -unit : unit
  const rotated: HelmertParameters = [x, y, z, aboutX * factor, aboutY * factor, aboutZ * factor, scale]
  return (pivot ? aboutGeocentre(rotated, pivot) : rotated).map((value) => String(Number(value.toFixed(8)))).join(',')
}

type HelmertParameters = [
  x: number,
  y: number,
  z: number,
  aboutX: number,
  aboutY: number,
  aboutZ: number,
  scale: number,
]

/** T' = T + P - (1 + s) R P, with the linear R of the method (EPSG Guidance Note 7-2, 4.3.3). */
function aboutGeocentre(
  parameters: HelmertParameters,
  [px, py, pz]: readonly [number, number, number],
): HelmertParameters {
  const [x, y, z, aboutX, aboutY, aboutZ, scale] = parameters
  const [rx, ry, rz] = [aboutX, aboutY, aboutZ].map((angle) => angle / arc_seconds_per_radian) as [
    number,
    number,
    number,
  ]
  const scaleFactor = 1 + scale * 1e-6
  return [
    Number((x + px - scaleFactor * (px - rz * py + ry * pz)).toFixed(4)),
    Number((y + py - scaleFactor * (rz * px + py - rx * pz)).toFixed(4)),
    Number((z + pz - scaleFactor * (-ry * px + rx * py + pz)).toFixed(4)),
    ...([aboutX, aboutY, aboutZ, scale] as const),
  ]
}
