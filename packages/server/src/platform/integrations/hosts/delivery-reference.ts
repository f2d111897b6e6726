/** References of hosts that keep no orders: the order id and the ordered scenes, so any process can deliver them. */

export const encodeDeliveryReference = (orderId: string, scenes: readonly string[]): string =>
  [orderId, ...scenes.map(encodeURIComponent)].join(' ')

/** The ids of the ordered scenes. */
export const decodeDeliveryReference = (reference: string): string[] => reference.split(' ').slice(1).map(decodeScene)

function decodeScene(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
