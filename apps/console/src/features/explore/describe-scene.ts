/** `Sentinel-2A` of `sentinel-2a`: hosts write the names of satellites in lower case. */
export const describeSensor = (sensor: string): string =>
  sensor === sensor.toLowerCase()
    ? sensor.replace(/(^|[^a-z0-9])[a-z]|\d[a-z]\b/g, (part) => part.toUpperCase())
    : sensor
