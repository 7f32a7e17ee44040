import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: ["node_modules", "build", "src/api/schema.d.ts"] },
  js.configs.recommended,
  ...ts.configs.strict,
  { plugins: { "react-hooks": hooks }, rules: { ...hooks.configs.recommended.rules } },
  {
    rules: {
      // What people said is text: nothing on this page may be given to the browser as markup.
      "no-restricted-syntax": [
        "error",
        { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: "Text is text, never markup." },
        {
          selector: "MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML)$/]",
          message: "Text is text, never markup.",
        },
      ],
      // The compiler that this warns of is not used.
      "react-hooks/incompatible-library": "off",
      "max-lines": ["error", 300],
    },
  },
  // In a test what is not there may fail loudly.
  { files: ["tests/**"], rules: { "@typescript-eslint/no-non-null-assertion": "off" } },
);
