import { texts } from '../../texts.ts'

/** `Sentinel-2A` of `sentinel-2a`: hosts write the names of satellites in lower case. */
export const describeSensor = (sensor: string): string =>
  sensor === sensor.toLowerCase()
    ? sensor.replace(/(^|[^a-z0-9])[a-z]|\d[a-z]\b/g, (part) => part.toUpperCase())
    : sensor

/** A licence in words, or its SPDX id. */
export const describeLicence = (licence: string): string =>
  Object.hasOwn(texts.explore.licences, licence)
    ? texts.explore.licences[licence as keyof typeof texts.explore.licences]
    : licence
