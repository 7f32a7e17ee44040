import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import "@xyflow/react/dist/style.css";
import "./styles/tokens.css";
import "./styles/frame.css";
import "./styles/talk.css";
import "./styles/graph.css";
import "./styles/panel.css";
import "./styles/queue.css";
import "./styles/tables.css";
import "./styles/print.css";

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
