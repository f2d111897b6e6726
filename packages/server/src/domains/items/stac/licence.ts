/** Licence ids of the SPDX list. */
const spdxPattern =
  /^(CC-BY(-NC)?(-SA|-ND)?-\d\.\d|CC0-1\.0|CC-PDM-1\.0|ODbL-1\.0|ODC-By-1\.0|PDDL-1\.0|OGL-UK-3\.0|etalab-2\.0)$/

export const isSpdxLicence = (licence: string): boolean => spdxPattern.test(licence)

/** The page of an SPDX licence. */
export const spdxLicenceUrl = (licence: string): string => `https://spdx.org/licenses/${licence}.html`

/** The licence value of STAC 1.0.0: an SPDX id, `various` or `proprietary`. */
export const toStacLicence = (licence: string): string =>
  isSpdxLicence(licence) || licence === 'various' ? licence : 'proprietary'
