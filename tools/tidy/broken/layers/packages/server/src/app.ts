import { place } from './domains/orders/place.ts'
import { server } from './http/server.ts'
export const app = [place, server]
