/* eslint-disable */
// Links of the system come here before Expo Router reads them. The app makes `links` in its own file `links.ts`.
import { links } from "../links";

export const redirectSystemPath = links.redirectSystemPath;
