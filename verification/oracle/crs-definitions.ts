/** A reference system that GDAL writes into a file, the extent of the file, and the expected result of reading it. */
export interface TestedCrs {
  readonly name: string
  /** In any form that GDAL accepts: proj4 text, WKT or a code. */
  readonly definition: string
  /** In the units of the system. */
  readonly extent: readonly [west: number, south: number, east: number, north: number]
  /** Pattern of the failure message; absent if the file must be georeferenced. */
  readonly expectedRefusal?: RegExp
  /** True for a system of the EPSG register, which is either read rightly or rejected by name. */
  readonly isOfRegister?: boolean
}

const wgs84Suffix = '+datum=WGS84 +units=m +no_defs'
const mega = 1e6

const define = (name: string, definition: string, extent: TestedCrs['extent'], expectedRefusal?: RegExp): TestedCrs =>
  expectedRefusal ? { name, definition, extent, expectedRefusal } : { name, definition, extent }

/** A square around a position, in the units of the system. */
const around = (x: number, y: number, half: number): TestedCrs['extent'] => [x - half, y - half, x + half, y + half]

/** Albers on a datum that is named only, as ESRI software writes it. */
const esriAlbers =
  'PROJCS["Custom_Albers",GEOGCS["GCS_OSGB_1936",DATUM["D_OSGB_1936",SPHEROID["Airy_1830",6377563.396,299.3249646]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Albers"],PARAMETER["False_Easting",1000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-2.0],PARAMETER["Standard_Parallel_1",43.0],PARAMETER["Standard_Parallel_2",62.0],PARAMETER["Latitude_Of_Origin",30.0],UNIT["Meter",1.0]]'

/** Every projection method of GeoKeys, those that GDAL writes as text, datums, units, meridians, codes and other bodies. */
export const crsDefinitions: readonly TestedCrs[] = [
  define(
    'Transverse Mercator',
    `+proj=tmerc +lat_0=10 +lon_0=20 +k=0.9999 +x_0=1000 +y_0=2000 ${wgs84Suffix}`,
    around(0, 0, mega),
  ),
  define(
    'UTM on a datum with a shift',
    '+proj=utm +zone=32 +ellps=intl +towgs84=-87,-98,-121 +units=m +no_defs',
    [3e5, 4e6, 7e5, 7e6],
  ),
  define(
    'Mercator A',
    `+proj=merc +lon_0=110 +k=0.997 +x_0=3900000 +y_0=900000 ${wgs84Suffix}`,
    around(3.9e6, 9e5, 5 * mega),
  ),
  define('Mercator B', `+proj=merc +lon_0=51 +lat_ts=42 ${wgs84Suffix}`, around(0, 0, 6 * mega)),
  define(
    'Lambert conformal, two parallels',
    `+proj=lcc +lat_0=40 +lon_0=-96 +lat_1=20 +lat_2=60 ${wgs84Suffix}`,
    around(0, 0, 3 * mega),
  ),
  define(
    'Lambert conformal, one parallel',
    `+proj=lcc +lat_1=46.5 +lat_0=46.5 +lon_0=3 +k_0=0.9998 +x_0=600000 +y_0=200000 ${wgs84Suffix}`,
    around(6e5, 2e5, mega),
  ),
  define('Lambert azimuthal', `+proj=laea +lat_0=50.72 +lon_0=-3.51 ${wgs84Suffix}`, around(0, 0, 4 * mega)),
  define('Lambert azimuthal, south pole', `+proj=laea +lat_0=-90 +lon_0=30 ${wgs84Suffix}`, around(0, 0, 4 * mega)),
  define('Albers', `+proj=aea +lat_0=0 +lon_0=25 +lat_1=20 +lat_2=-23 ${wgs84Suffix}`, around(0, 0, 4 * mega)),
  define('Albers as ESRI says it, OSGB36', esriAlbers, [-2e5, 2.2e6, 2e5, 3.2e6]),
  define('azimuthal equidistant', `+proj=aeqd +lat_0=40 +lon_0=-100 ${wgs84Suffix}`, around(0, 0, 4 * mega)),
  define('azimuthal equidistant, north pole', `+proj=aeqd +lat_0=90 +lon_0=10 ${wgs84Suffix}`, around(0, 0, 5 * mega)),
  define(
    'equidistant conic',
    `+proj=eqdc +lat_0=40 +lon_0=-96 +lat_1=20 +lat_2=60 ${wgs84Suffix}`,
    around(0, 0, 3 * mega),
  ),
  define('stereographic', `+proj=stere +lat_0=52 +lon_0=5 +k=0.9999 ${wgs84Suffix}`, around(0, 0, 3 * mega)),
  define(
    'polar stereographic A',
    `+proj=stere +lat_0=90 +lon_0=15 +k=0.994 +x_0=2000000 +y_0=2000000 ${wgs84Suffix}`,
    around(2e6, 2e6, 2 * mega),
  ),
  define(
    'polar stereographic B, south',
    `+proj=stere +lat_0=-90 +lat_ts=-71 +lon_0=30 ${wgs84Suffix}`,
    around(0, 0, 4 * mega),
  ),
  define(
    'polar stereographic B, north',
    `+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 ${wgs84Suffix}`,
    around(0, 0, 4 * mega),
  ),
  define(
    'oblique stereographic',
    '+proj=sterea +lat_0=52.156 +lon_0=5.3876 +k=0.9999079 +x_0=155000 +y_0=463000 +ellps=bessel +units=m +no_defs',
    around(155e3, 463e3, 2e5),
  ),
  define('equidistant cylindrical', `+proj=eqc +lat_ts=45 +lon_0=10 ${wgs84Suffix}`, [-13e6, -9e6, 13e6, 9e6]),
  define(
    'equidistant cylindrical, latitude of origin',
    `+proj=eqc +lat_ts=30 +lat_0=20 +lon_0=-10 ${wgs84Suffix}`,
    [-8e6, -8e6, 8e6, 6e6],
  ),
  define(
    'Cassini-Soldner',
    `+proj=cass +lat_0=10.44 +lon_0=-61.33 +x_0=86501.46 +y_0=65379.01 ${wgs84Suffix}`,
    around(86501, 65379, 1.2 * mega),
  ),
  define('gnomonic on a sphere', '+proj=gnom +lat_0=40 +lon_0=10 +R=6371000 +units=m +no_defs', around(0, 0, 4 * mega)),
  define(
    'gnomonic on an ellipsoid',
    `+proj=gnom +lat_0=40 +lon_0=10 ${wgs84Suffix}`,
    around(0, 0, 4 * mega),
    /Gnomonic/,
  ),
  define('Miller', `+proj=mill +lon_0=10 ${wgs84Suffix}`, [-19e6, -13e6, 19e6, 13e6]),
  define(
    'Miller on a datum with a shift',
    '+proj=mill +lon_0=10 +ellps=intl +towgs84=-87,-98,-121 +units=m +no_defs',
    around(0, 5e6, mega),
  ),
  define('orthographic', `+proj=ortho +lat_0=40 +lon_0=10 ${wgs84Suffix}`, around(0, 0, 4.4 * mega)),
  define('orthographic, south pole', `+proj=ortho +lat_0=-90 +lon_0=10 ${wgs84Suffix}`, around(0, 0, 4.4 * mega)),
  define(
    'polyconic',
    `+proj=poly +lat_0=0 +lon_0=-54 +x_0=5000000 +y_0=10000000 ${wgs84Suffix}`,
    around(5e6, 9e6, 2.5 * mega),
  ),
  define('Robinson', `+proj=robin +lon_0=10 ${wgs84Suffix}`, around(0, 0, 8.5 * mega)),
  define('sinusoidal', `+proj=sinu +lon_0=10 ${wgs84Suffix}`, around(0, 0, 7 * mega)),
  define('sinusoidal of MODIS', '+proj=sinu +lon_0=0 +R=6371007.181 +units=m +no_defs', around(0, 0, 7 * mega)),
  define('Van der Grinten', `+proj=vandg +lon_0=10 ${wgs84Suffix}`, around(0, 0, 12 * mega)),
  define(
    'New Zealand Map Grid',
    '+proj=nzmg +lat_0=-41 +lon_0=173 +x_0=2510000 +y_0=6023150 +ellps=intl +units=m +no_defs',
    around(2.51e6, 6.02e6, 5e5),
  ),
  define('cylindrical equal area', `+proj=cea +lat_ts=30 +lon_0=10 ${wgs84Suffix}`, [-15e6, -7e6, 15e6, 7e6]),
  define(
    'Krovak',
    '+proj=krovak +lat_0=49.5 +lon_0=24.83333333333333 +alpha=30.28813972222222 +k=0.9999 +ellps=bessel +units=m +no_defs',
    [-9e5, -1.3e6, -2e5, -9e5],
  ),
  define(
    'Krovak on WGS 84',
    `+proj=krovak +lat_0=49.5 +lon_0=24.83333333333333 +alpha=30.28813972222222 +k=0.9999 ${wgs84Suffix}`,
    [-9e5, -1.3e6, -2e5, -9e5],
    /Krovak/,
  ),
  define(
    'Krovak with a false origin',
    '+proj=krovak +lat_0=49.5 +lon_0=24.83333333333333 +alpha=30.28813972222222 +k=0.9999 +x_0=5000000 +y_0=5000000 +ellps=bessel +units=m +no_defs',
    [4.1e6, 3.7e6, 4.8e6, 4.1e6],
  ),
  define(
    'Hotine A',
    `+proj=omerc +no_uoff +lat_0=4 +lonc=115 +alpha=53.31582 +gamma=53.13010 +k=0.99984 ${wgs84Suffix}`,
    around(7e5, 5e5, mega),
  ),
  define(
    'Hotine B',
    `+proj=omerc +lat_0=4 +lonc=115 +alpha=53.31582 +gamma=53.13010 +k=0.99984 +x_0=590476.87 +y_0=442857.65 ${wgs84Suffix}`,
    around(590e3, 442e3, mega),
  ),
  define(
    'Swiss oblique',
    `+proj=somerc +lat_0=46.95240555555556 +lon_0=7.439583333333333 +k_0=1 +x_0=600000 +y_0=200000 ${wgs84Suffix}`,
    around(6e5, 2e5, 2e5),
  ),
  define(
    'GOES, sweep x',
    '+proj=geos +h=35786023 +lon_0=-75 +sweep=x +ellps=GRS80 +units=m +no_defs',
    around(0, 0, 5.4 * mega),
  ),
  define(
    'Meteosat, sweep y',
    '+proj=geos +h=35785831 +lon_0=9.5 +a=6378169 +b=6356583.8 +units=m +no_defs',
    around(0, 0, 5.4 * mega),
  ),
  define('Mollweide', `+proj=moll +lon_0=10 ${wgs84Suffix}`, around(0, 0, 7 * mega)),
  define('Eckert VI', `+proj=eck6 +lon_0=10 ${wgs84Suffix}`, around(0, 0, 7 * mega)),
  define('Bonne', `+proj=bonne +lat_1=45 +lon_0=3 ${wgs84Suffix}`, around(0, 0, 2 * mega)),
  define('Eckert IV', `+proj=eck4 +lon_0=10 ${wgs84Suffix}`, around(0, 0, 7 * mega), /Eckert IV/),
  define('Goode Homolosine', `+proj=igh +lon_0=0 ${wgs84Suffix}`, around(0, 0, 7 * mega), /Goode Homolosine/),
  define('NAD27 / UTM 11N, California', 'EPSG:26711', [3e5, 36e5, 7e5, 42e5]),
  define('NAD27 / UTM 20N, Nova Scotia', 'EPSG:26720', [3e5, 49e5, 6e5, 52e5]),
  define(
    'Clarke 1866 with a shift of its own',
    '+proj=utm +zone=11 +ellps=clrk66 +towgs84=-8,160,176 +units=m +no_defs',
    [3e5, 36e5, 7e5, 42e5],
  ),
  define('NAD27 in degrees, Florida', 'EPSG:4267', [-82, 27, -81, 28]),
  define('NAD27 / Texas South Central, feet', 'EPSG:32040', [1.2e6, 4e5, 2.4e6, 6e5]),
  define(
    'Albers on NAD27, Alaska',
    '+proj=aea +lat_0=50 +lon_0=-154 +lat_1=55 +lat_2=65 +datum=NAD27 +units=m +no_defs',
    [-2e5, 1e6, 2e5, 1.8e6],
  ),
  define('S-JTSK / Krovak, Czechia', 'EPSG:5514', [-9e5, -1.2e6, -5.5e5, -9.9e5]),
  define('NTF (Paris) / Lambert zone II', 'EPSG:27572', around(6e5, 2.2e6, 3e5)),
  define('OSGB36 / British National Grid', 'EPSG:27700', [1e5, 1e5, 6e5, 9e5]),
  define('NAD83 / New York Long Island, feet', 'EPSG:2263', [9e5, 1e5, 1.1e6, 3e5]),
  define(
    'seven parameters',
    '+proj=tmerc +lat_0=0 +lon_0=9 +k=1 +x_0=3500000 +ellps=bessel +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7 +units=m +no_defs',
    around(3.5e6, 5.5e6, 3e5),
  ),
  define(
    'prime meridian of Ferro',
    '+proj=tmerc +lat_0=0 +lon_0=28 +k=1 +x_0=3500000 +ellps=bessel +pm=ferro +units=m +no_defs',
    around(3.5e6, 5.5e6, 3e5),
  ),
  define(
    'US survey feet',
    '+proj=lcc +lat_0=40 +lon_0=-96 +lat_1=20 +lat_2=60 +x_0=304800 +datum=NAD83 +units=us-ft +no_defs',
    around(1e6, 0, 5 * mega),
  ),
  define(
    'kilometres',
    '+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +units=km +no_defs',
    around(4321, 3210, 1000),
  ),
  define('degrees on a sphere', '+proj=longlat +R=6371229 +no_defs', [-170, -80, 170, 80]),
  define(
    'degrees on a datum with a shift',
    '+proj=longlat +ellps=intl +towgs84=-87,-98,-121 +no_defs',
    [0, 40, 20, 60],
  ),
  define('grads', 'EPSG:4807', [-2, 48, 2, 56], /EPSG:4807/),
  define('west and south', 'EPSG:2053', around(0, 3e6, 1e5), /EPSG:2053/),
  define(
    'Mars, equidistant cylindrical',
    '+proj=eqc +lat_ts=0 +lon_0=0 +R=3396190 +units=m +no_defs',
    around(0, 0, 4 * mega),
    /Mars/,
  ),
  define('Mars in degrees', '+proj=longlat +a=3396190 +b=3376200 +no_defs', [-170, -80, 170, 80], /Mars/),
  define(
    'Europa, polar stereographic',
    '+proj=stere +lat_0=90 +lon_0=0 +k=1 +R=1560800 +units=m +no_defs',
    around(0, 0, mega),
    /Europa/,
  ),
]

/** Systems of the register that differ from this PROJ by more than the bound, each for a reason of its own. */
export const knownDifferences: Readonly<Record<string, string>> = {
  'EPSG:2000': 'no shift is known for its datum, which is taken for WGS 84',
  'EPSG:2138': 'its datum has a grid and no parameters, and gets those of the whole continent',
  'EPSG:2964': 'PROJ chooses the shift by place; the table has one for all of Alaska',
  'EPSG:26731': 'as EPSG:2964',
  'EPSG:26740': 'as EPSG:2964',
  'EPSG:3893': 'PROJ chooses a shift for Iraq from outside of the register',
  'EPSG:8044': 'text of ESRI has lost that its axes run south and west',
  'EPSG:8045': 'as EPSG:8044',
  'EPSG:9311': 'PROJ 9.1 takes the ellipsoid where the method asks for a sphere',
  'EPSG:24377': 'as EPSG:24375',
  'EPSG:24375': 'its shift belongs to a part of its datum, which text without a code does not say',
}
