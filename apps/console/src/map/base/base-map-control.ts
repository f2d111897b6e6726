import type { IControl, Map as MapLibreMap } from 'maplibre-gl'
import { frameTexts } from '../../texts/frame.ts'
import { listBaseMaps, readChosenMap, storeChosenMap, type BaseMapChoice } from './base-maps.ts'

/** Tells the map of this page to draw another base map. */
const chosenEvent = 'swath:base-map'

/** Chooses the base map of this browser, and lets the map draw it. */
export function chooseBaseMap(map: BaseMapChoice): void {
  storeChosenMap(map)
  dispatchEvent(new Event(chosenEvent))
}

/** Calls back when another base map was chosen. Returns the function that ends it. */
export function watchChosenMap(onChange: () => void): () => void {
  addEventListener(chosenEvent, onChange)
  return () => removeEventListener(chosenEvent, onChange)
}

/** The choice of the base map in the corner of the map; hidden while there is only one. */
export class BaseMapControl implements IControl {
  readonly #element = document.createElement('div')
  readonly #select = document.createElement('select')
  #unwatch = (): void => undefined

  onAdd(_map: MapLibreMap): HTMLElement {
    this.#element.className = 'maplibregl-ctrl maplibregl-ctrl-group'
    this.#select.ariaLabel = frameTexts.baseMap
    this.#select.addEventListener('change', () => {
      const chosen = listBaseMaps().find(({ id }) => id === this.#select.value)
      if (chosen) chooseBaseMap(chosen)
    })
    this.#element.append(this.#select)
    this.#unwatch = watchChosenMap(() => this.#show())
    this.#show()
    return this.#element
  }

  onRemove(): void {
    this.#unwatch()
    this.#element.remove()
  }

  #show(): void {
    const maps = listBaseMaps()
    this.#element.hidden = maps.length < 2
    this.#select.replaceChildren(...maps.map(({ id, title }) => new Option(title, id)))
    this.#select.value = readChosenMap().id
  }
}
