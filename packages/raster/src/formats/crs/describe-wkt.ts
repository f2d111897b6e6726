import { findCrs } from './crs-table.ts'
import { findDatumWords, readDatumWords } from './datum-names.ts'
import type { ProjectionParameterDefinition } from './geo-keys.ts'
import { projectionMethods } from './projection-methods.ts'
import {
  formatEllipsoidProj4,
  projectedCrsToProj4,
  readProjectionParameters,
  unsupportedCrsFailure,
} from './projection-text.ts'
import { findWktChild, readWktEpsgCode, readWktNumber, readWktText, type WktNode } from './wkt-tree.ts'

const geographicNames: ReadonlySet<string> = new Set(['GEOGCS', 'GEOGCRS', 'GEOGRAPHICCRS', 'GEODCRS', 'GEODETICCRS'])
const projectedNames: ReadonlySet<string> = new Set(['PROJCS', 'PROJCRS', 'PROJECTEDCRS'])
/** Systems around a horizontal one: with heights, or with a shift to another datum. */
const outerNames: ReadonlySet<string> = new Set(['COMPD_CS', 'COMPOUNDCRS', 'BOUNDCRS', 'SOURCECRS'])

const degrees_per_radian = 180 / Math.PI
const wgs84Name = /^(?:D_)?(?:WGS_1984|World Geodetic System 1984(?: ensemble)?)$/i

/** The horizontal system of a text, and the parameters of the shift that stand around it. */
interface HorizontalSystem {
  readonly node: WktNode
  readonly shift: string | null
}

/** The system for places on a map: without the heights of a compound one, and without the target of a bound one. */
export function findHorizontalSystem(node: WktNode): HorizontalSystem {
  if (!outerNames.has(node.name)) return { node, shift: null }
  const inner = node.children.find(
    ({ name }) => outerNames.has(name) || geographicNames.has(name) || projectedNames.has(name),
  )
  if (!inner) return { node, shift: null }
  const found = findHorizontalSystem(inner)
  return { node: found.node, shift: found.shift ?? readAbridgedShift(node) }
}

/** EPSG codes of the parameters of a transformation, in the order of `+towgs84`. */
const shiftParameters = [8605, 8606, 8607, 8608, 8609, 8610, 8611]

/** The shift of a bound system; its rotations are those of a position vector. Null for none, or one of another kind. */
function readAbridgedShift(node: WktNode): string | null {
  const transformation = findWktChild(node, 'ABRIDGEDTRANSFORMATION')
  if (!transformation) return null
  const values = shiftParameters.map((code) => {
    const parameter = transformation.children.find((child) => readWktEpsgCode(child) === code)
    const value = readWktNumber(parameter, 1)
    // A scale is written as a factor there.
    return value !== undefined && code === 8611 && findWktChild(parameter, 'SCALEUNIT') ? (value - 1) * 1e6 : value
  })
  if (values.slice(0, 3).some((value) => value === undefined)) return null
  return values.map((value) => value ?? 0).join(',')
}

export const isGeographicNode = ({ name }: WktNode): boolean => geographicNames.has(name)

/**
 * The proj4 text of well-known text of any version and dialect (WKT 1 of OGC, GDAL and ESRI, WKT 2), as GDAL reads it: proj4
 * text in an extension takes precedence. Throws `unsupportedCrsFailure`, which names the part that is not supported.
 */
export async function wktToProj4({ node, shift }: HorizontalSystem): Promise<string> {
  const extension = node.children.find((child) => child.name === 'EXTENSION' && readWktText(child, 0) === 'PROJ4')
  const spelled = readWktText(extension, 1)
  if (spelled !== undefined) return spelled.trim()
  rejectWestAxis(node)
  if (isGeographicNode(node)) return geographicText(node, shift)
  if (!projectedNames.has(node.name))
    throw unsupportedCrsFailure(`the kind of its well-known text, ${node.name}, is not read`)
  const base = findWktChild(node, 'GEOGCS', 'BASEGEOGCRS', 'BASEGEODCRS')
  const conversion = findWktChild(node, 'CONVERSION') ?? node
  const metres = lengthOf(node)
  const given = readProjectionParameters((definition) => parameterOf(conversion, definition), {
    degrees: degreesOf(base),
    // Parameters of version 2 have units of their own, applied already.
    metres: conversion === node ? metres : 1,
  })
  const name = readWktText(findWktChild(conversion, 'PROJECTION', 'METHOD'), 0) ?? 'of no name'
  const key = nameKey(name)
  const method = projectionMethods.find(({ wkt, applies }) => wkt.includes(key) && applies(given))
  return projectedCrsToProj4(method, name.replaceAll('_', ' '), given, {
    geodetic: await geodeticText(base, shift),
    metres,
  })
}

async function geographicText(node: WktNode, shift: string | null): Promise<string> {
  if (degreesOf(node) !== 1) throw unsupportedCrsFailure('its angles are not in degrees')
  if (/^cartesian$/i.test(readWktText(findWktChild(node, 'CS'), 0) ?? ''))
    throw unsupportedCrsFailure('it is geocentric, with x, y and z from the middle of the Earth')
  return `+proj=longlat ${await geodeticText(node, shift)} +no_defs`
}

/** Names of methods and parameters are written with spaces, underscores, dashes and parentheses. */
const nameKey = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/_$/, '')

function rejectWestAxis(node: WktNode): void {
  if (node.children.some((child) => child.name === 'AXIS' && /^west$/i.test(readWktText(child, 1) ?? '')))
    throw unsupportedCrsFailure('its direction of axes, to the west, is not read')
}

/** Metres for each unit of the axes. */
function lengthOf(node: WktNode): number {
  const axis = findWktChild(node, 'AXIS')
  const unit = findWktChild(node, 'UNIT', 'LENGTHUNIT') ?? findWktChild(axis, 'LENGTHUNIT', 'UNIT')
  return readWktNumber(unit, 1) ?? 1
}

/** The value of a parameter, in the unit of its kind where it has one of its own. */
function parameterOf(node: WktNode, { names }: ProjectionParameterDefinition): number | undefined {
  const found = node.children.find(
    (child) => child.name === 'PARAMETER' && names.includes(nameKey(readWktText(child, 0) ?? '')),
  )
  const value = readWktNumber(found, 1)
  if (value === undefined) return undefined
  const length = readWktNumber(findWktChild(found, 'LENGTHUNIT'), 1)
  if (length !== undefined) return value * length
  return value * (findWktChild(found, 'ANGLEUNIT') ? degreesOf(found) : 1)
}

/** Degrees for each unit of the angles of a node; 1 where it says none. */
function degreesOf(node: WktNode | undefined): number {
  const radians =
    readWktNumber(findWktChild(node, 'UNIT', 'ANGLEUNIT'), 1) ??
    readWktNumber(findWktChild(findWktChild(node, 'AXIS'), 'ANGLEUNIT'), 1)
  // The factor of a degree is written with fewer digits than it has.
  return radians === undefined || Math.abs(radians * degrees_per_radian - 1) < 1e-9 ? 1 : radians * degrees_per_radian
}

async function geodeticText(geographic: WktNode | undefined, outerShift: string | null): Promise<string> {
  const datum = findWktChild(geographic, 'DATUM', 'ENSEMBLE', 'TRF', 'GEODETICDATUM')
  const name = readWktText(datum, 0) ?? ''
  const pm = meridianText(geographic)
  if (wgs84Name.test(name)) return `+datum=WGS84${pm}`
  const spheroid = findWktChild(datum, 'SPHEROID', 'ELLIPSOID')
  const axis = readWktNumber(spheroid, 1)
  if (axis === undefined) throw unsupportedCrsFailure('its well-known text names no ellipsoid')
  const a = axis * (readWktNumber(findWktChild(spheroid, 'LENGTHUNIT', 'UNIT'), 1) ?? 1)
  const stated = outerShift ?? findWktChild(datum, 'TOWGS84')?.values.join(',')
  const ellipsoid = formatEllipsoidProj4(a, { rf: readWktNumber(spheroid, 2) })
  if (stated !== undefined) return `${ellipsoid} +towgs84=${stated}${pm}`
  return `${(await findDatum(geographic, name, a)) ?? ellipsoid}${pm}`
}

/** Ellipsoid and shift of a geographic system by its code, the name of its datum or its own name; null where none is known. */
async function findDatum(geographic: WktNode | undefined, datum: string, axis_m: number): Promise<string | null> {
  const code = readWktEpsgCode(geographic)
  const coded = code === null ? null : await findCrs(code)
  const words = coded && readDatumWords(coded.proj4, axis_m)
  return words ?? findDatumWords([datum, readWktText(geographic, 0) ?? ''], axis_m)
}

/** Version 1 writes the meridian in degrees whatever the unit of the system (GDAL and ESRI do), version 2 names the unit. */
function meridianText(geographic: WktNode | undefined): string {
  const meridian = findWktChild(geographic, 'PRIMEM', 'PRIMEMERIDIAN')
  const longitude = (readWktNumber(meridian, 1) ?? 0) * degreesOf(meridian)
  return longitude === 0 ? '' : ` +pm=${longitude}`
}
