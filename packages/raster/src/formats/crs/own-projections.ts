import proj4 from 'proj4'

export type CoordinatePair = readonly [number, number]

/** A projection of geodetic longitude (from the central meridian) and latitude, in radians, to metres and back. */
interface Projection {
  readonly forward: (longitude: number, latitude: number) => CoordinatePair
  readonly inverse: (x: number, y: number) => CoordinatePair
}

/** The parameters of a projection: semi-major axis, square of the eccentricity, latitude of origin (radians), scale. */
interface Shape {
  readonly a: number
  readonly es: number
  readonly latitude: number
  readonly scale: number
}

const outsidePosition: CoordinatePair = [Number.NaN, Number.NaN]
const quarter_pi = Math.PI / 4

/**
 * The projections that proj4 computes on a sphere, on one ellipsoid only or by a short series, where PROJ does not.
 * Each uses the latitudes of its own ellipsoid, so that a datum shift before it stays as it is.
 */
const projections: Readonly<Record<string, (shape: Shape) => Projection>> = {
  ortho: orthographic,
  krovak,
  cass: cassini,
  mill: ({ a }) => onSphere('mill', a),
  vandg: ({ a }) => onSphere('vandg', a),
}

/** The words of proj4 text that say what longitude and latitude mean. */
const geodeticParameter = /^\+(?:datum|ellps|a|b|rf|R|towgs84|pm|nadgrids)=/

/** Both ways between degrees (WGS 84) and the units of a system whose projection is computed here; null for any other. */
export function findBuiltInTransform(
  text: string,
): { forward: (at: CoordinatePair) => CoordinatePair; inverse: (at: CoordinatePair) => CoordinatePair } | null {
  const words = text.split(' ')
  const create = projections[words[0]!.replace('+proj=', '')]
  // The Vanua Levu Grid has terms of its own.
  if (!create || words.includes('+hyperbolic')) return null
  // Without the word for the authalic radius: the library would take it for another ellipsoid under the datum shift.
  const { a, es, lat0, long0, x0, y0, k0, to_meter } = parse(words.filter((word) => word !== '+R_A').join(' '))
  const projection = create({
    a: words.includes('+R_A') ? authalicRadius(a, es) : a,
    es: words.includes('+f=0') ? 0 : es,
    latitude: lat0,
    scale: k0,
  })
  const degrees = proj4(
    ['+proj=longlat', ...words.filter((word) => geodeticParameter.test(word)), '+no_defs'].join(' '),
  )
  const radian = Math.PI / 180
  return {
    forward(at) {
      const [longitude, latitude] = degrees.forward([...at])
      const [x, y] = projection.forward(around(longitude! * radian - long0), latitude! * radian)
      return [(x + x0) / to_meter, (y + y0) / to_meter]
    },
    inverse([x, y]) {
      const [longitude, latitude] = projection.inverse(x * to_meter - x0, y * to_meter - y0)
      if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) return outsidePosition
      return degrees.inverse([around(longitude + long0) / radian, latitude / radian]) as unknown as CoordinatePair
    },
  }
}

type Parsed = Record<'a' | 'es' | 'lat0' | 'long0' | 'x0' | 'y0' | 'k0' | 'to_meter', number>

function parse(text: string): Parsed {
  // As a plate carree: the method of the text may set an ellipsoid of its own.
  const { a, es, lat0, long0, x0, y0, k0, to_meter } = new proj4.Proj(
    text.replace(/^\+proj=\w+/, '+proj=eqc'),
  ) as unknown as Parsed
  return { a, es, lat0: lat0 || 0, long0: long0 || 0, x0: x0 || 0, y0: y0 || 0, k0: k0 || 1, to_meter: to_meter || 1 }
}

const around = (radians: number): number => radians - 2 * Math.PI * Math.round(radians / (2 * Math.PI))

/** Radius of the sphere with the surface of the ellipsoid, by the series that PROJ uses for `+R_A`. */
const authalicRadius = (a: number, es: number): number => a * (1 - es * (1 / 6 + es * (17 / 360 + (es * 67) / 3024)))

/** A projection of the library on a sphere, whose latitudes are taken as they are. */
function onSphere(method: string, radius: number, origin = 0): Projection {
  const degree = 180 / Math.PI
  const converter = proj4(`+proj=${method} +lat_0=${origin * degree} +lon_0=0 +x_0=0 +y_0=0 +R=${radius} +no_defs`)
  return {
    forward: (longitude, latitude) =>
      converter.forward([longitude * degree, latitude * degree]) as unknown as CoordinatePair,
    inverse(x, y) {
      // Its formulas divide by the distance from the very middle.
      const [longitude, latitude] = x === 0 && y === 0 ? [0, origin * degree] : converter.inverse([x, y])
      return [longitude! / degree, latitude! / degree]
    },
  }
}

/**
 * The plane that touches the ellipsoid at the origin, seen from very far (EPSG method 9840): positions are geocentric ones
 * along the axes of that plane, and back along the line of sight to where it first meets the ellipsoid.
 */
function orthographic({ a, es, latitude: origin }: Shape): Projection {
  const [sin0, cos0] = [Math.sin(origin), Math.cos(origin)]
  const radius = (sine: number): number => a / Math.sqrt(1 - es * sine * sine)
  const base = [radius(sin0) * cos0, radius(sin0) * (1 - es) * sin0] as const
  const flat = 1 - es
  return {
    forward(longitude, latitude) {
      const [sine, cosine] = [Math.sin(latitude), Math.cos(latitude)]
      if (sin0 * sine + cos0 * cosine * Math.cos(longitude) < 0) return outsidePosition
      const r = radius(sine)
      const [depth, height] = [r * cosine * Math.cos(longitude) - base[0], r * flat * sine - base[1]]
      return [r * cosine * Math.sin(longitude), cos0 * height - sin0 * depth]
    },
    inverse(x, y) {
      // Along the line of sight t: (depth0 + t cos0)² + x² + (height0 + t sin0)² / (1 - es) = a²
      const depth0 = base[0] - y * sin0
      const height0 = base[1] + y * cos0
      const square = cos0 * cos0 + (sin0 * sin0) / flat
      const half = depth0 * cos0 + (height0 * sin0) / flat
      const rest = depth0 * depth0 + x * x + (height0 * height0) / flat - a * a
      const t = (-half + Math.sqrt(half * half - square * rest)) / square
      const [depth, height] = [depth0 + t * cos0, height0 + t * sin0]
      return [Math.atan2(x, depth), Math.atan2(height, flat * Math.hypot(depth, x))]
    },
  }
}

/** Oblique conic of Czechia and Slovakia, east and north (EPSG method 1041), on the ellipsoid of its parameters. */
function krovak({ a, es, latitude: origin, scale }: Shape): Projection {
  const parallel = 1.370_083_462_815_55
  const colatitude = Math.PI / 2 - 1.042_168_563_804_74
  const e = Math.sqrt(es)
  const sin0 = Math.sin(origin)
  const alpha = Math.sqrt(1 + (es * Math.cos(origin) ** 4) / (1 - es))
  const u0 = Math.asin(sin0 / alpha)
  const bend = (sine: number): number => ((1 + e * sine) / (1 - e * sine)) ** ((alpha * e) / 2)
  const k = (Math.tan(u0 / 2 + quarter_pi) / Math.tan(origin / 2 + quarter_pi) ** alpha) * bend(sin0)
  const n = Math.sin(parallel)
  const rho0 =
    ((scale * a * Math.sqrt(1 - es)) / (1 - es * sin0 * sin0) / Math.tan(parallel)) *
    Math.tan(parallel / 2 + quarter_pi) ** n
  const [sinA, cosA] = [Math.sin(colatitude), Math.cos(colatitude)]
  return {
    forward(longitude, latitude) {
      const u =
        2 * (Math.atan((k * Math.tan(latitude / 2 + quarter_pi) ** alpha) / bend(Math.sin(latitude))) - quarter_pi)
      const turn = -longitude * alpha
      const s = Math.asin(cosA * Math.sin(u) + sinA * Math.cos(u) * Math.cos(turn))
      const eps = n * Math.asin((Math.cos(u) * Math.sin(turn)) / Math.cos(s))
      const rho = rho0 / Math.tan(s / 2 + quarter_pi) ** n
      return [-rho * Math.sin(eps), -rho * Math.cos(eps)]
    },
    inverse(x, y) {
      const d = Math.atan2(-x, -y) / n
      const s = 2 * (Math.atan((rho0 / Math.hypot(x, y)) ** (1 / n)) - quarter_pi)
      const u = Math.asin(cosA * Math.sin(s) - sinA * Math.cos(s) * Math.cos(d))
      const turn = Math.asin((Math.cos(s) * Math.sin(d)) / Math.cos(u))
      const tangent = (Math.tan(u / 2 + quarter_pi) / k) ** (1 / alpha)
      let latitude = u
      for (let step = 0; step < 15; step++)
        latitude = 2 * (Math.atan(tangent * bend(Math.sin(latitude)) ** (1 / alpha)) - quarter_pi)
      return [-turn / alpha, latitude]
    },
  }
}

/** Cassini-Soldner by the series of EPSG method 9806, and back by Newton's method on the same series, as PROJ does. */
function cassini({ a, es, latitude: origin }: Shape): Projection {
  if (es === 0) return onSphere('cass', a, origin)
  const arc = meridianArc(a, es)
  const forward = (longitude: number, latitude: number): CoordinatePair => {
    const [sine, cosine] = [Math.sin(latitude), Math.cos(latitude)]
    const radius = a / Math.sqrt(1 - es * sine * sine)
    const t = Math.tan(latitude) ** 2
    const c = (es * cosine * cosine) / (1 - es)
    const a2 = (longitude * cosine) ** 2
    const x = radius * longitude * cosine * (1 - a2 * t * (1 / 6 + ((8 - t + 8 * c) * a2) / 120))
    const y = arc(latitude) - arc(origin) + radius * Math.tan(latitude) * a2 * (0.5 + ((5 - t + 6 * c) * a2) / 24)
    return [x, y]
  }
  return { forward, inverse: (x, y) => invert(forward, x, y, [x / a / Math.cos(origin + y / a), origin + y / a]) }
}

/** Length of the meridian from the equator, by the series of Helmert: exact to less than a millimetre. */
function meridianArc(a: number, es: number): (latitude: number) => number {
  const root = Math.sqrt(1 - es)
  const n = (1 - root) / (1 + root)
  const n2 = n * n
  return (latitude) =>
    (a / (1 + n)) *
    ((1 + n2 / 4 + (n2 * n2) / 64) * latitude -
      1.5 * n * (1 - n2 / 8) * Math.sin(2 * latitude) +
      (15 / 16) * n2 * (1 - n2 / 4) * Math.sin(4 * latitude) -
      (35 / 48) * n2 * n * Math.sin(6 * latitude) +
      (315 / 512) * n2 * n2 * Math.sin(8 * latitude))
}

const max_steps = 20
const step_radians = 1e-6

/** Inverse of a projection from an initial guess, by Newton's method; NaN if it does not converge. */
function invert(forward: Projection['forward'], x: number, y: number, guess: CoordinatePair): CoordinatePair {
  let [longitude, latitude] = guess
  for (let step = 0; step < max_steps; step++) {
    const [x0, y0] = forward(longitude, latitude)
    const [x1, y1] = forward(longitude + step_radians, latitude)
    const [x2, y2] = forward(longitude, latitude + step_radians)
    const [a, b, c, d] = [
      (x1 - x0) / step_radians,
      (x2 - x0) / step_radians,
      (y1 - y0) / step_radians,
      (y2 - y0) / step_radians,
    ]
    const area = a * d - b * c
    const east = ((x - x0) * d - (y - y0) * b) / area
    const north = ((y - y0) * a - (x - x0) * c) / area
    longitude += east
    latitude += north
    if (Math.abs(latitude) > Math.PI / 2 || !Number.isFinite(longitude)) return outsidePosition
    if (Math.abs(east) < 1e-12 && Math.abs(north) < 1e-12) return [longitude, latitude]
  }
  return outsidePosition
}
