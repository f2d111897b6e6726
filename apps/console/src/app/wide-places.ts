/** Places whose screens are tables and forms without anything on the map: they have its width, too. */
const widePlaces = ['/money', '/team', '/account', '/build', '/admin', '/orders/table'] as const

export const isWidePlace = (pathname: string): boolean =>
  widePlaces.some((place) => pathname === place || pathname.startsWith(`${place}/`))
