/** A pixel is cloud if its darkest colour is this bright, and its colours differ by no more than this share. */
const min_brightness = 0.75
const max_colourfulness = 0.15

/**
 * Says whether a pixel looks like cloud: bright and without colour. `red`, `green` and `blue` are from 0, black, to 1,
 * white in an image.
 *
 * These are the brightness and whiteness tests with which masks of cloud begin (L. Gómez-Chova et al. 2007, "Cloud-Screening
 * Algorithm for ENVISAT/MERIS Multispectral Images"; Z. Zhu and C. Woodcock 2012, "Object-based cloud and cloud shadow
 * detection in Landsat imagery", equation 2), with the saturation of the colour as whiteness, because an image has no
 * reflectances. Snow, bright sand, glint and white roofs pass them too; thin cloud and cloud shadow do not.
 */
export function looksLikeCloud(red: number, green: number, blue: number): boolean {
  const darkest = Math.min(red, green, blue)
  const brightest = Math.max(red, green, blue)
  return darkest >= min_brightness && brightest - darkest <= max_colourfulness * brightest
}

/** An image has no pixels where it is this dark, of 255: lossy compression brightens the black around a scene a little. */
const max_black = 6

/** Says whether a pixel of an image is the black around a scene. The darkest water is taken for it too. */
export const isBlackFill = (red: number, green: number, blue: number): boolean =>
  Math.max(red, green, blue) <= max_black
